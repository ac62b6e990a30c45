using Microsoft.Extensions.Logging;

namespace Mux.Discovery.Etcd;

/// <summary>
/// Log messages of sources and registries. Their ids are 50xx. Two events are those that a host logs for every registry (1050, 1051), because they mean the
/// same. Users filter by event name, so the names do not change. Never logs a password, a token or the value of a key.
/// </summary>
internal static partial class EtcdLog
{
    [LoggerMessage(1050, LogLevel.Information, "Registered {Endpoint} in {Registry} again.", EventName = "Registered")]
    public static partial void RegisteredAgain(ILogger logger, MuxAddress endpoint, string registry);

    [LoggerMessage(1051, LogLevel.Warning, "The registration of {Endpoint} in {Registry} is lost, or will be when its lease ends: {Reason}. The server " +
        "serves, and registers again.", EventName = "RegistrationLost")]
    public static partial void RegistrationLost(ILogger logger, MuxAddress endpoint, string registry, string reason, Exception? error);

    [LoggerMessage(5001, LogLevel.Warning, "{Source} cannot be watched: {Reason}. The last endpoints are kept; next attempts follow every 1 to 3 s.",
        EventName = "EtcdWatchLost")]
    public static partial void WatchLost(ILogger logger, string source, string reason, Exception error);

    [LoggerMessage(5002, LogLevel.Information, "{Source} is watched again.", EventName = "EtcdWatchRestored")]
    public static partial void WatchRestored(ILogger logger, string source);

    [LoggerMessage(5003, LogLevel.Warning, "The key {Key} of {Source} is no endpoint and is skipped: {Reason}. Logged once, until the key changes.",
        EventName = "EtcdValueUnreadable")]
    public static partial void ValueUnreadable(ILogger logger, string key, string source, string reason);
}
