using System.Security.Cryptography;
using System.Text;

namespace Mux.Redis;

/// <summary>
/// What Redis does in one step. The script of each item is sent whole once, by the probe of a connection, and then by its hash. A Redis that does not have
/// it, because its scripts were flushed or in another node of a cluster, gets it whole again: see <see cref="RequestPump"/>.
/// </summary>
internal static class RedisScripts
{
    /// <summary>
    /// Numbers a message, retains and publishes it. Keys: the number, whose name without ":n" is the channel, and the retained ones, if any are.
    /// Arguments: the message, how many are retained, for how many milliseconds. Foreign values under our keys are deleted; after any other error nothing is
    /// written: a deletion would let a Redis that is full take more. Returns the number.
    /// </summary>
    public const string Publish = """
        local function isForeign(r)
          return string.find(r.err, 'WRONGTYPE', 1, true) or string.find(r.err, 'not an integer', 1, true) or string.find(r.err, 'overflow', 1, true)
        end
        local n = redis.pcall('INCR', KEYS[1])
        if type(n) ~= 'number' then
          if not isForeign(n) then return n end
          redis.call('DEL', KEYS[1])
          n = redis.call('INCR', KEYS[1])
        end
        if n == 1 then
          local t = redis.call('TIME')
          n = t[1] * 1000000 + t[2]
          redis.call('SET', KEYS[1], string.format('%.0f', n))
        end
        redis.call('PEXPIRE', KEYS[1], ARGV[3])
        local m = string.format('%.0f ', n) .. ARGV[1]
        local keep = tonumber(ARGV[2])
        if keep > 0 then
          local r = redis.pcall('RPUSH', KEYS[2], m)
          if type(r) ~= 'number' then
            if not isForeign(r) then return r end
            redis.call('DEL', KEYS[2])
            redis.call('RPUSH', KEYS[2], m)
          end
          redis.call('LTRIM', KEYS[2], -keep, -1)
          redis.call('PEXPIRE', KEYS[2], ARGV[3])
        end
        redis.call('PUBLISH', string.sub(KEYS[1], 1, -3), m)
        return string.format('%.0f', n)
        """;

    /// <summary>The hash by which Redis knows <see cref="Publish"/>.</summary>
#pragma warning disable CA5350 // the name that Redis gives to a script, not a protection
    public static readonly byte[] PublishHash = SHA1.HashData(Encoding.UTF8.GetBytes(Publish));
#pragma warning restore CA5350

    /// <summary>
    /// Reads what is retained, and publishes a mark: it comes between the messages that are in the answer and those that are not. Keys: as above. Arguments:
    /// how many, the mark, the channel. Returns the last number and the retained messages.
    /// </summary>
    public const string Look = """
        local n = redis.pcall('GET', KEYS[1])
        if type(n) ~= 'string' then n = '0' end
        local l = {}
        local keep = tonumber(ARGV[1])
        if keep > 0 then
          l = redis.pcall('LRANGE', KEYS[2], -keep, -1)
          if l.err then l = {} end
        end
        redis.call('PUBLISH', ARGV[3], ARGV[2])
        return {n, l}
        """;
}
