using System.Buffers.Binary;
using System.Text;
using Mux.Engine;
using Mux.Protocol;
using Mux.ProtocolCases.Cases;

namespace Mux.ProtocolCases.Running;

/// <summary>Requirements of a case on the peer, derived from its bytes.</summary>
internal static class SpecNeeds
{
    /// <summary>Number of slots of the peer that cases use: one stays open, one is answered, and the third is new.</summary>
    public const int Calls = 3;

    /// <summary>Number of those slots that are used before the case.</summary>
    public const int HeldCalls = 2;

    /// <summary>Number of methods that are defined before the case.</summary>
    public const int Definitions = 2;

    private const byte HasFingerprint = 8; // a bit of the shape in DEFINE

    private static readonly string[] s_beside = [SpecMethods.Wait, SpecMethods.Up, SpecMethods.Down, SpecMethods.Both, SpecMethods.Decode];

    /// <summary>Methods that the case defines in addition to the echo.</summary>
    public static IEnumerable<string> Methods(BadInputCase badInput) =>
        s_beside.Where(method => badInput.Bytes.AsSpan().IndexOf(Encoding.UTF8.GetBytes(method)) >= 0);

    /// <summary>
    /// True if it matters that the peer has made calls. An answer to a call that was never made always violates the rules; a late one, or one that uses up
    /// credit, needs a call.
    /// </summary>
    public static bool OwnCalls(BadInputCase badInput)
    {
        if (badInput.HasOwnStream) return true;
        bool dependsOnState = badInput.Reaction.Code is not (ConnectionCode.ProtocolError or ConnectionCode.FrameTooLarge or ConnectionCode.CompressionError);
        return badInput.Stage == BadInputStage.Open && dependsOnState
            && Frames(badInput.Bytes).Any(frame => frame.Kind is FrameKind.Response or FrameKind.ResponseItem or FrameKind.RequestCredit or FrameKind.Fail);
    }

    /// <summary>True if the case makes calls, or concerns calls made before it.</summary>
    public static bool MakesCalls(BadInputCase badInput) => badInput.Stage == BadInputStage.Open
        && Frames(badInput.Bytes).Any(frame => frame.Kind == FrameKind.Define || IsOfInitiator(frame.Kind));

    /// <summary>True if a call must be answered with success or be open; a call of an unknown method is rejected at its first fragment.</summary>
    public static bool Reply(BadInputCase badInput) => badInput.Stage == BadInputStage.Open
        && (badInput.Reaction.Answers.Any(answer => answer.Kind == FrameKind.Response)
            || Frames(badInput.Bytes).Any(frame => (frame.Id.Slot == SpecScene.Waiting.Slot && IsOfInitiator(frame.Kind))
            || (frame.Kind == FrameKind.Request && frame.Has(FrameFlags.More))));

    /// <summary>
    /// True if the case is meaningful only for a peer that reads fingerprints: for others, setting 13 and bit 3 of a shape are unknown. An answer to a DEFINE
    /// that was not sent violates a rule for every peer that makes calls.
    /// </summary>
    public static bool Fingerprints(BadInputCase badInput, bool makesCalls) => badInput.Stage == BadInputStage.Connected
        ? Says(badInput.Bytes, SettingKey.Fingerprints)
        : Frames(badInput.Bytes).Any(frame => frame.Kind == FrameKind.Define
            && (frame.Has(FrameFlags.Answer) ? !makesCalls : frame.Payload.Length > 2 && (frame.Payload[2] & HasFingerprint) != 0));

    /// <summary>True if the case is meaningful only for a peer that reads metadata ahead of its streams: for others, META on an item breaks a rule.</summary>
    public static bool StreamMetadata(BadInputCase badInput) => badInput.Stage == BadInputStage.Connected
        ? Says(badInput.Bytes, SettingKey.StreamMetadata)
        : Frames(badInput.Bytes).Any(frame => frame.Kind == FrameKind.ResponseItem && frame.Has(FrameFlags.Meta));

    /// <summary>True if the case is meaningful only for a peer that reads LEASE: for others, setting 15 is unknown.</summary>
    public static bool Leases(BadInputCase badInput) => badInput.Stage == BadInputStage.Connected && Says(badInput.Bytes, SettingKey.Leases);

    /// <summary>True if the case is meaningful only for a peer that does not read LEASE: for others, its frame breaks no rule.</summary>
    public static bool NoLeases(BadInputCase badInput) => !badInput.Options.Local.ReadsLeases && badInput.Stage == BadInputStage.Open
        && Frames(badInput.Bytes).Any(frame => frame.Kind == FrameKind.Lease && frame.Header.Flags == FrameFlags.None && frame.Id == default
            && LeaseFrame.TryRead(frame.Payload, out _, out _));

    /// <summary>Describes the limits that differ from the defaults.</summary>
    public static string Limits(ConnectionOptions options) => string.Join(", ", Others(options).Select(limit => $"{limit.Name} {limit.Own}"));

    /// <summary>True if the peer's HELLO announces exactly the limits that differ from the defaults, and the case needs no other options.</summary>
    public static bool HasLimits(ConnectionOptions options, PeerSettings said)
    {
        var usual = new ConnectionOptions();
        if (options with { Local = usual.Local } != usual) return false;
        return Others(options).SequenceEqual(Others(options with { Local = said }).Where(limit => Others(options).Any(own => own.Name == limit.Name)));
    }

    /// <summary>Returns the reason why the limits of a peer do not fit a case, or null.</summary>
    public static string? Exceeds(BadInputCase badInput, PeerSettings settings)
    {
        if (badInput.Stage != BadInputStage.Open) return null;
        SpecFrame[] frames = [.. Frames(badInput.Bytes)];
        bool isTaken = badInput.Reaction.End is null;
        bool isJudgedFurther = isTaken || badInput.Reaction.Code != ConnectionCode.FrameTooLarge;
        if (isJudgedFurther && frames.Any(frame => frame.Header.Length > settings.MaxFramePayload))
        {
            return $"is longer than the {settings.MaxFramePayload} bytes of payload that the peer takes";
        }

        // other violations are detected before that
        bool isMessageJudged = badInput.Reaction.Code is null or ConnectionCode.ExcessiveLoad or ConnectionCode.FlowControlError;
        if (isMessageJudged && badInput.Options.Local.MaxMessage != settings.MaxMessage && frames.Select(LengthOf).DefaultIfEmpty().Max() is var length
            && length > settings.MaxMessage)
        {
            return $"needs a peer that takes messages of {length} bytes, and not {settings.MaxMessage}: setting 2";
        }

        int definitions = Definitions + frames.Count(frame => frame.Kind == FrameKind.Define);
        if (settings.MaxCalls >= HeldCalls && badInput.Options.Local.MaxOrdinals != settings.MaxOrdinals && definitions > settings.MaxOrdinals)
        {
            return Few("definitions", definitions, settings.MaxOrdinals);
        }

        long items = frames.Where(frame => frame.Kind is FrameKind.RequestItem or FrameKind.ResponseItem)
            .Sum(frame => Math.Max(64L, FrameHeader.Size + frame.Header.Length));
        if (items > settings.StreamCredit && badInput.Reaction.Code != ConnectionCode.FlowControlError)
        {
            return Few("bytes of items", items, settings.StreamCredit);
        }

        long bulk = Continuations(frames);
        if (bulk > settings.BulkCredit) return Few("bytes of bulk", bulk, settings.BulkCredit);
        bool isMetadata = isTaken && frames.Any(frame => frame.Has(FrameFlags.Meta));
        return isMetadata && settings.MaxMetadata != PeerSettings.Default.MaxMetadata
            ? $"needs a peer that takes {PeerSettings.Default.MaxMetadata} bytes of metadata, and not {settings.MaxMetadata}" : null;
    }

    private static IEnumerable<(string Name, long Own)> Others(ConnectionOptions options)
    {
        var (own, usual) = (options.Local, PeerSettings.Default);
        (string Name, long Own, long Usual)[] limits =
        [
            ("max frame payload", own.MaxFramePayload, usual.MaxFramePayload), ("max message", own.MaxMessage, usual.MaxMessage),
                ("max calls", own.MaxCalls, usual.MaxCalls), ("reading of LEASE", own.ReadsLeases ? 1 : 0, 0),
            ("stream credit", own.StreamCredit, usual.StreamCredit), ("max definitions", own.MaxOrdinals, usual.MaxOrdinals),
            ("room for reassembly", options.ReassemblyLimit, new ConnectionOptions().ReassemblyLimit),
        ];
        return limits.Where(limit => limit.Own != limit.Usual).Select(limit => (limit.Name, limit.Own));
    }

    /// <summary>Length in bytes of the message that a frame begins or contains.</summary>
    private static long LengthOf(SpecFrame frame)
    {
        if (frame.Kind is not (FrameKind.Request or FrameKind.RequestItem or FrameKind.Response or FrameKind.ResponseItem)) return 0;
        int head = frame.Kind == FrameKind.Request ? RequestHead.MinLength : 0;
        bool isFirst = frame.Has(FrameFlags.More) && frame.Payload.Length == head + FragmentHead.Length;
        return isFirst ? BinaryPrimitives.ReadUInt32LittleEndian(frame.Payload.AsSpan(head)) : frame.Header.Length - head;
    }

    private static bool IsOfInitiator(FrameKind kind) =>
        kind is FrameKind.Request or FrameKind.RequestItem or FrameKind.RequestEnd or FrameKind.Cancel or FrameKind.ResponseCredit or
            FrameKind.ItemCredit;

    private static string Few(string what, long needed, long taken) => $"needs a peer that takes {needed} {what}, and not {taken}";

    private static long Continuations(SpecFrame[] frames)
    {
        long bytes = 0;
        bool isInside = false;
        foreach (var frame in frames.Where(frame => frame.Kind is FrameKind.Request or FrameKind.Response))
        {
            if (isInside) bytes += frame.Header.Length;
            isInside = frame.Has(FrameFlags.More);
        }

        return bytes;
    }

    private static bool Says(byte[] bytes, SettingKey key)
    {
        const int HelloHead = 4, SettingHead = 4;
        for (int at = Preface.Size + FrameHeader.Size + HelloHead; bytes.Length - at >= SettingHead; at += SettingHead
            + BinaryPrimitives.ReadUInt16LittleEndian(bytes.AsSpan(at + 2)))
        {
            if (BinaryPrimitives.ReadUInt16LittleEndian(bytes.AsSpan(at)) == (ushort)key) return bytes.AsSpan().StartsWith(Preface.Bytes);
        }

        return false;
    }

    /// <summary>Parses the frames; the payload of the last one may be incomplete.</summary>
    private static IEnumerable<SpecFrame> Frames(byte[] bytes)
    {
        for (int at = 0; bytes.Length - at >= FrameHeader.Size;)
        {
            var header = FrameHeader.Read(bytes.AsSpan(at));
            at += FrameHeader.Size;
            int length = Math.Min(header.Length, bytes.Length - at);
            yield return new SpecFrame(header, bytes.AsSpan(at, length).ToArray());
            at += header.Length;
        }
    }
}
