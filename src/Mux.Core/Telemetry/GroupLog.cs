using Microsoft.Extensions.Logging;
using Mux.Runtime;

namespace Mux.Telemetry;

/// <summary>Log messages of groups: those of the server or channel whose peer is the member. The names do not change.</summary>
internal static partial class GroupLog
{
    [LoggerMessage(EventIds.GroupCallsMissed, LogLevel.Warning, "The peer {Peer} has missed {Count} call(s) of the group {Group}: {Reasons}.{Advice} Logged " +
        "once a minute per peer, and at the end of its connection.", EventName = "GroupCallsMissed")]
    public static partial void CallsMissed(ILogger logger, string peer, long count, string group, string reasons, string advice);

    [LoggerMessage(EventIds.GroupMemberGone, LogLevel.Debug, "The peer {Peer} has missed {Count} call(s) of the group {Group}: its connection ended or " +
        "drained before they could be sent.", EventName = "GroupMemberGone")]
    public static partial void MemberGone(ILogger logger, string peer, long count, string group);
}

/// <summary>The reasons for which members miss calls, as metrics and logs name them.</summary>
internal static class MissReasons
{
    private static readonly string[] s_names = ["queue_full", "dropped", "no_memory", "expired", "disconnected", "refused", "failed"];

    public static IReadOnlyList<MuxMissReason> All { get; } = Enum.GetValues<MuxMissReason>();

    public static int Length => s_names.Length;

    public static string NameOf(MuxMissReason reason) => s_names[(int)reason];
}
