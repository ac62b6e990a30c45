using System.Text;
using Mux.Connections;
using Mux.ProtocolCases.Cases;
using Mux.Wire;

namespace Mux.ProtocolCases.Running;

/// <summary>What a case needs of the peer, as its bytes show it.</summary>
internal static class SpecNeeds
{
    private static readonly string[] s_beside = [SpecMethods.Wait, SpecMethods.Up, SpecMethods.Down, SpecMethods.Both, SpecMethods.Decode];

    /// <summary>Methods beside the echo that it defines.</summary>
    public static IEnumerable<string> Methods(BadInputCase badInput) => s_beside.Where(method => badInput.Bytes.AsSpan().IndexOf(Encoding.UTF8.GetBytes(method)) >= 0);

    /// <summary>
    /// Whether it makes a difference that the peer has made calls. An answer to a call that was never made breaks the rules whoever gets it; one that is late, or uses up credit, needs a call.
    /// </summary>
    public static bool OwnCalls(BadInputCase badInput)
    {
        if (badInput.HasOwnStream) return true;
        bool dependsOnState = badInput.Reaction.Code is not (ConnectionCode.ProtocolError or ConnectionCode.FrameTooLarge or ConnectionCode.CompressionError);
        return badInput.Stage == BadInputStage.Open && dependsOnState && Kinds(badInput.Bytes).Any(kind => kind is FrameKind.Response or FrameKind.ResponseItem or FrameKind.RequestCredit or FrameKind.Fail);
    }

    /// <summary>Whether a call has to be answered with success, or to be open.</summary>
    public static bool Reply(BadInputCase badInput) => badInput.Stage == BadInputStage.Open
        && (badInput.Reaction.Answers.Any(answer => answer.Kind == FrameKind.Response) || Headers(badInput.Bytes).Any(header => header.Id == SpecScene.Waiting));

    /// <summary>The limits that differ from the defaults.</summary>
    public static string Limits(ConnectionOptions options)
    {
        var (own, usual) = (options.Local, PeerSettings.Default);
        (string Name, long Own, long Usual)[] limits =
        [
            ("max frame payload", own.MaxFramePayload, usual.MaxFramePayload), ("max message", own.MaxMessage, usual.MaxMessage), ("max calls", own.MaxCalls, usual.MaxCalls),
            ("stream credit", own.StreamCredit, usual.StreamCredit), ("max definitions", own.MaxOrdinals, usual.MaxOrdinals),
            ("room for reassembly", options.ReassemblyLimit, new ConnectionOptions().ReassemblyLimit),
        ];
        return string.Join(", ", limits.Where(limit => limit.Own != limit.Usual).Select(limit => $"{limit.Name} {limit.Own}"));
    }

    /// <summary>Why the limits of a peer do not suit a case, or null.</summary>
    public static string? Exceeds(BadInputCase badInput, PeerSettings settings)
    {
        if (badInput.Stage != BadInputStage.Open) return null;
        bool isTaken = badInput.Reaction.End is null;
        if (isTaken && Headers(badInput.Bytes).Any(header => header.Length > settings.MaxFramePayload)) return $"is longer than the {settings.MaxFramePayload} bytes of payload that the peer takes";
        bool isMetadata = isTaken && Headers(badInput.Bytes).Any(header => (header.Flags & FrameFlags.Meta) != 0);
        return isMetadata && settings.MaxMetadata != PeerSettings.Default.MaxMetadata ? $"needs a peer that takes {PeerSettings.Default.MaxMetadata} bytes of metadata, and not {settings.MaxMetadata}" : null;
    }

    private static IEnumerable<FrameKind> Kinds(byte[] bytes) => Headers(bytes).Select(header => header.Kind);

    private static IEnumerable<FrameHeader> Headers(byte[] bytes)
    {
        for (int at = 0; bytes.Length - at >= FrameHeader.Size;)
        {
            var header = FrameHeader.Read(bytes.AsSpan(at));
            yield return header;
            at += FrameHeader.Size + header.Length;
        }
    }
}
