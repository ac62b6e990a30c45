using System.Buffers.Binary;
using Mux.Contracts;
using Mux.Protocol;
using Mux.ProtocolCases.Cases;
using Mux.ProtocolCases.Running;

namespace Mux.ProtocolCases.Servers;

/// <summary>Credit of a server as its HELLO announces it: what it must return, and what it must not let through.</summary>
internal static class ServerCreditCases
{
    private const int Large = 100_000, LargestFragment = 16_384, LargestItem = 1_024;

    /// <summary>Credit that a case uses up at most: more takes too long.</summary>
    private const int MostCredit = 64 << 20;

    private const ushort Ordinal = SpecNeeds.Definitions;

    private static readonly CallId s_new = new(3, 1);

    public static IReadOnlyList<ServerCase> All { get; } =
    [
        new("Large_requests_beyond_the_servers_credit", "requests of 100000 bytes, more than the server's bulk credit in all", "returns CREDIT", SendLargeAsync)
        {
            WhyNot = static target => WithoutMethod(target, target.Echo) ?? Above(target.Settings.BulkCredit, "bulk credit")
                ?? (target.Settings.MaxMessage < Large ? $"needs a peer that takes messages of {Large} bytes, and not {target.Settings.MaxMessage}" : null),
        },
        new("An_item_beyond_the_servers_credit", "items of a request stream until its credit is used up, and one more", "GOAWAY FlowControlError, closed",
            SendItemsAsync)
        {
            Row = 96,
            WhyNot = static target => WithoutMethod(target, SpecMethods.Up) ?? Above(target.Settings.StreamCredit, "stream credit"),
        },
    ];

    private static string? WithoutMethod(SpecTarget target, string method) => target.Methods.Contains(method) && target.TakesCalls ? null
        : $"needs a peer with the method {method}, which lets this side call it {SpecNeeds.Calls} times at a time";

    private static string? Above(long credit, string name) => credit <= MostCredit ? null : $"needs a peer with {MostCredit} bytes of {name}, and not {credit}";

    private static async Task<string> SendLargeAsync(SpecScene scene)
    {
        var settings = scene.Target.Settings;
        long credit = settings.BulkCredit;
        int count = 2 + settings.BulkCredit / Large;
        for (int call = 0; call < count; call++)
        {
            var id = new CallId(2, (uint)call + 2); // the call before it in this slot was answered
            await SendAsync(Raw.Frame(FrameKind.Request, id, [0, 0, 0, 0, .. Raw.U32(Large)], FrameFlags.More)).ConfigureAwait(false);
            for (int at = 0, length; at < Large; at += length)
            {
                if (credit <= 0)
                {
                    scene.Begin("CREDIT for the requests that it took", $"{call} requests of {Large} bytes");
                    credit += Granted(await scene.ReadUntilAsync(static frame => frame.Kind == FrameKind.Credit).ConfigureAwait(false));
                }

                length = Math.Min(LargestFragment, Large - at);
                credit -= length;
                await SendAsync(Raw.Frame(FrameKind.Request, id, new byte[length], at + length < Large ? FrameFlags.More : FrameFlags.None))
                    .ConfigureAwait(false);
            }

            scene.Begin("the reply to a large request", $"a request of {Large} bytes");
            var frames = await scene.ReadUntilAsync(frame => frame.Id == id && SpecScene.IsTerminal(frame)).ConfigureAwait(false);
            credit += Granted(frames);
            var taken = frames.Where(frame => frame.Id == id && frame.Kind == FrameKind.Response).Skip(1).Sum(static frame => frame.Header.Length);
            if (taken > 0) await SendAsync(Raw.Frame(FrameKind.Credit, default, Raw.U32((uint)taken))).ConfigureAwait(false);
        }

        return $"{count} large requests";

        Task SendAsync(byte[] bytes) => scene.Wire.SendAsync(bytes, scene.Deadline);
    }

    // The service of the contract reads no item, so no credit comes back.
    private static async Task<string> SendItemsAsync(SpecScene scene)
    {
        var bytes = new List<byte>([.. Raw.Define(Ordinal, (byte)MethodShape.RequestStream, SpecMethods.Up),
            .. Raw.Request(s_new.Slot, s_new.Generation, Ordinal, RequestOptions.Stream)]);
        var item = Raw.Frame(FrameKind.RequestItem, s_new, new byte[LargestItem - FrameHeader.Size]);
        for (long credit = scene.Target.Settings.StreamCredit; credit > 0; credit -= item.Length) bytes.AddRange(item);
        bytes.AddRange(Raw.Frame(FrameKind.RequestItem, s_new));
        await scene.SendAsync([.. bytes], SpecSplit.Whole).ConfigureAwait(false);
        var expected = Reaction.GoAway(ConnectionCode.FlowControlError, "without credit");
        return await new SpecJudge(scene, new BadInputCase("An_item_beyond_the_servers_credit", [], expected)).CheckAsync().ConfigureAwait(false);
    }

    private static long Granted(IEnumerable<SpecFrame> frames) => frames
        .Where(static frame => frame.Kind == FrameKind.Credit && frame.Payload.Length == sizeof(uint))
        .Sum(static frame => (long)BinaryPrimitives.ReadUInt32LittleEndian(frame.Payload));
}

/// <summary>A case for a server that is not a row of bytes, because it depends on what the server announces and returns.</summary>
/// <param name="Name">Name of the case.</param>
/// <param name="Sent">Action of the tool.</param>
/// <param name="Expected">Required reaction of the server.</param>
/// <param name="Play">Runs the case on a connection whose calls are open. Throws a SpecFailure if the server reacts in another way.</param>
internal sealed record ServerCase(string Name, string Sent, string Expected, Func<SpecScene, Task<string>> Play)
{
    /// <summary>Row of PROTOCOL.md; null if it is not in the table.</summary>
    public int? Row { get; init; }

    /// <summary>Returns the reason why the case cannot be played against a server, or null.</summary>
    public required Func<SpecTarget, string?> WhyNot { get; init; }

    public override string ToString() => Name;
}

/// <summary>Result of a case.</summary>
/// <param name="Case">The case.</param>
/// <param name="Verdict">The verdict.</param>
/// <param name="Got">Actual reaction, or the reason why the case was not played.</param>
/// <param name="Step">Step of the failure; null if it did not fail.</param>
internal sealed record ServerResult(ServerCase Case, SpecVerdict Verdict, string Got, SpecStep? Step);
