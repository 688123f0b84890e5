-- For wrk: random positions of three men, most of which are positions of the game.

local pieces = { "Q", "R", "B", "N" }

-- Three squares of which no two are the same.
local function squares()
    local a, b, c = math.random(0, 63), nil, nil
    repeat b = math.random(0, 63) until b ~= a
    repeat c = math.random(0, 63) until c ~= a and c ~= b
    return a, b, c
end

local function fen()
    local on = {}
    local king, piece, other = squares()
    on[king], on[piece], on[other] = "K", pieces[math.random(#pieces)], "k"
    local text, empty = {}, 0
    local function flush()
        if empty > 0 then text[#text + 1] = empty end
        empty = 0
    end
    for rank = 7, 0, -1 do
        for file = 0, 7 do
            local letter = on[rank * 8 + file]
            if letter then
                flush()
                text[#text + 1] = letter
            else
                empty = empty + 1
            end
        end
        flush()
        if rank > 0 then text[#text + 1] = "/" end
    end
    -- Black to move: only kings beside each other make no position.
    return table.concat(text) .. "_b_-_-"
end

local asks = {
    probe = function() return "/api/orthodox?moves=false&fen=" .. fen() end,
    moves = function() return "/api/orthodox?fen=" .. fen() end,
    standard = function() return "/standard?fen=" .. fen() end,
    page = function() return "/" end,
}
local others = {
    asks.probe, asks.moves, asks.standard, asks.page,
    function() return "/api/orthodox/line?fen=" .. fen() end,
    function() return "/api/orthodox?fen=" .. string.rep("8", math.random(0, 2000)) end,
    function() return "/api/chess99?fen=%ff" .. fen() end,
    function() return "/api/orthodox/stats/KQvK" end,
    function() return "/api/games" end,
    function() return "/../" .. math.random(1000) end,
    function() return "/metrics" end,
}
asks.mixed = function() return others[math.random(#others)]() end

local ask = asks[os.getenv("MODE") or "probe"]
request = function() return wrk.format("GET", ask()) end
