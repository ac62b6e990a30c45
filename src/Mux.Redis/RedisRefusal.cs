using StackExchange.Redis;

namespace Mux.Redis;

/// <summary>Tells errors that Redis answers to one request from those that say that this Redis is of no use at present.</summary>
internal static class RedisRefusal
{
    /// <summary>What a replica, a server that starts, one without its master, a broken cluster, and one that a script blocks say to everything.</summary>
    private static readonly string[] s_ofServer = ["READONLY", "LOADING", "MASTERDOWN", "CLUSTERDOWN", "TRYAGAIN", "NOAUTH", "BUSY"];

    /// <summary>True if Redis does not have the script of the request.</summary>
    public static bool IsOfMissingScript(RedisServerException error) => error.Message.StartsWith("NOSCRIPT", StringComparison.Ordinal);

    /// <summary>True if other requests may be served, such as those that write nothing if Redis is full.</summary>
    public static bool IsOfRequest(RedisServerException error) =>
        !Array.Exists(s_ofServer, code => error.Message.Contains(code, StringComparison.Ordinal));
}
