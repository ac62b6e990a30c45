using System.Globalization;
using Microsoft.Extensions.Logging;
using Mux.Runtime;

namespace Mux.Push;

/// <summary>Log messages of backplanes. Users filter by event name, so the names do not change.</summary>
internal static partial class BackplaneLog
{
    [LoggerMessage(EventIds.BackplaneConnected, LogLevel.Information, "{Backplane} is connected: what is published or called reaches all servers.",
        EventName = "BackplaneConnected")]
    public static partial void Connected(ILogger logger, string backplane);

    [LoggerMessage(EventIds.BackplaneInterrupted, LogLevel.Warning, "{Backplane} is interrupted: {Reason}. What is published or called reaches the " +
        "subscribers and group members of this server alone, until it is connected again by itself.", EventName = "BackplaneInterrupted")]
    public static partial void Interrupted(ILogger logger, string backplane, string reason, Exception? error);

    [LoggerMessage(EventIds.BackplaneQueueFull, LogLevel.Warning, "{Backplane} is too slow: {Queued} messages wait, and further ones are not taken. They " +
        "reach the subscribers and group members of this server alone. {Refused} so far. Logged at most every 10 s.", EventName = "BackplaneQueueFull")]
    public static partial void QueueFull(ILogger logger, string backplane, int queued, long refused);

    [LoggerMessage(EventIds.BackplaneMessageSkipped, LogLevel.Warning, "{Backplane} has a message in {Channel} that is skipped: {Reason} {Skipped} so far. " +
        "Logged at most every 10 s.", EventName = "BackplaneMessageSkipped")]
    public static partial void Skipped(ILogger logger, string backplane, string channel, string reason, long skipped);

    [LoggerMessage(EventIds.BackplaneMessageRejected, LogLevel.Warning, "{Backplane} does not take a message of {Channel}, and serves others: {Reason} It " +
        "reaches the subscribers and group members of this server alone. Give it room, or the right to write there. {Refused} so far. Logged at most every " +
        "10 s.", EventName = "BackplaneMessageRejected")]
    public static partial void Rejected(ILogger logger, string backplane, string channel, string reason, long refused);
}

/// <summary>Names topics, and groups, at a backplane. The name of a key must be the same at every server, so few types have one by themselves.</summary>
internal static class ChannelNames
{
    private const int LongestKey = 1024; // characters

    /// <summary>Gets the function that names topics.</summary>
    /// <param name="prefix">What all names begin with.</param>
    /// <param name="named">The user's function for the names of keys; null for that of the type.</param>
    /// <param name="what">What has the keys, for messages: "Topic" or "Group".</param>
    /// <exception cref="ArgumentException">The type needs a function, or the user's function is for another type.</exception>
    public static Func<TKey, string> Of<TKey>(string prefix, Delegate? named, string what = "Topic")
    {
        if (named is not null and not Func<TKey, string>)
        {
            throw new ArgumentException($"NameKeys of the {what.ToLowerInvariant()}s names keys of {named.GetType().GenericTypeArguments[0]}, and their keys " +
                $"are {typeof(TKey)}: call NameKeys<{typeof(TKey).Name}>(key => ...).", nameof(named));
        }

        var nameOf = (Func<TKey, string>?)named ?? NameOf<TKey>() ?? throw new ArgumentException(
            $"{what}s with keys of {typeof(TKey)} cannot be shared as they are: expected string, Guid, an integer or an enum, or a function that names keys: " +
                $"NameKeys<{typeof(TKey).Name}>(key => ...).", nameof(named));
        return key => nameOf(key) is { Length: <= LongestKey } name ? prefix + name
            : throw new ArgumentException(
                $"The key {key} of a shared {what.ToLowerInvariant()} has no usable name: expected up to {LongestKey} characters.", nameof(key));
    }

    private static Func<TKey, string>? NameOf<TKey>()
    {
        if (typeof(TKey) == typeof(string)) return static key => (string)(object)key!;
        if (typeof(TKey) == typeof(Guid)) return static key => ((Guid)(object)key!).ToString("D");
        if (typeof(TKey).IsEnum) return static key => ((Enum)(object)key!).ToString("D"); // names may change between versions
        return IsInteger(typeof(TKey)) ? static key => ((IFormattable)key!).ToString(null, CultureInfo.InvariantCulture) : null;
    }

    private static bool IsInteger(Type type) =>
        type == typeof(int) || type == typeof(long) || type == typeof(uint) || type == typeof(ulong) || type == typeof(short) || type == typeof(ushort)
        || type == typeof(byte) || type == typeof(sbyte) || type == typeof(Int128) || type == typeof(UInt128);
}
