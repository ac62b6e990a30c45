using Mux.Protocol;
using Mux.ProtocolCases.Cases;
using Mux.ProtocolCases.Running;

namespace Mux.ProtocolCases.Clients;

/// <summary>Items and the credit of their streams.</summary>
internal static class ClientStreamCases
{
    /// <summary>Bytes of a stream's credit that a case uses up at most, in one item.</summary>
    private const int MostCredit = 64 * 1024;

    public static IEnumerable<ClientCase> All { get; } =
    [
        new("Items_within_the_credit", "nothing unusual", "streams 10 items and ends the stream", scene => UpAsync(scene, 64 * 1024, 100, 10, (_, _) => 0)),
        new("Items_within_little_credit", "setting 4 of 100, and REQUEST_CREDIT late", "waits for credit before each item", scene =>
            UpAsync(scene, 100, 60, 10, (_, _) => 100)),
        new("Credit_that_is_one_byte_short", "setting 4 of 1, and credit that leaves 0 before it leaves 1", "begins no item while 0 is left", scene =>
            UpAsync(scene, 1, 10, 3, (_, round) => round % 2 == 0 ? 63 : 1)),
        new("Items_larger_than_the_credit", "setting 4 of 1000", "finishes an item of 50000 bytes that it began, and waits then", scene =>
            UpAsync(scene, 1_000, 50_000, 2, (_, _) => 60_000)),
        new("Items_whose_first_frame_costs_as_well", "setting 4 of 1000, and credit that leaves 0 after an item in fragments, then 1",
            "begins no item while 0 is left",
            scene => UpAsync(scene, 1_000, 50_000, 3, (call, _) => call.ItemCredit < 0 ? (int)-call.ItemCredit : 1)),
        new("Items_of_a_reply", "a stream of 200 items", "takes them and returns RESPONSE_CREDIT", scene => DownAsync(scene, 1_000)),
        new("Items_of_a_reply_in_fragments", "items of 100000 bytes", "takes them and returns RESPONSE_CREDIT", scene =>
            DownAsync(scene, 100_000)) { MaxMessage = 100_000 },
        new("Items_of_a_reply_that_are_empty", "more items of no bytes than its credit lets begin",
            "takes them, and returns 64 bytes of RESPONSE_CREDIT for each", scene => DownAsync(scene, 0, 50)),
        new("Items_of_a_reply_whose_headers_cost", "more items of 64 bytes than its credit lets begin",
            "takes them, and returns 72 bytes of RESPONSE_CREDIT for each", scene => DownAsync(scene, 64, 8)),
        new("An_item_of_a_reply_beyond_the_clients_credit", "an item that uses up the credit of its stream, and another one right behind it",
            "GOAWAY FlowControlError, and ends, unless it has returned the credit before", BeyondAsync) { Row = 96, MaxMessage = MostCredit },
        new("A_stream_that_fails_in_the_middle", "three items, and FAIL(NotFound)", "reports the failure", async scene =>
        {
            var connection = await scene.AcceptAsync().ConfigureAwait(false);
            await connection.GiveAsync(new ClientTask(ClientTask.Down, 10, 10)).ConfigureAwait(false);
            var call = (await connection.TakeAsync(SpecMethods.Down).ConfigureAwait(false))[0];
            for (int item = 0; item < 3; item++) await connection.SendItemAsync(call, ClientTask.Content(10)).ConfigureAwait(false);
            await connection.FailAsync(call, MuxStatus.NotFound, MuxExecution.Executed).ConfigureAwait(false);
            await connection.ExpectAsync("failed 5 2").ConfigureAwait(false);
            return "reported it";
        }),
    ];

    /// <param name="scene">The case.</param>
    /// <param name="credit">Initial credit of a stream.</param>
    /// <param name="size">Size of an item.</param>
    /// <param name="count">Number of items.</param>
    /// <param name="grant">Computes the next grant from the call and the number of earlier grants.</param>
    private static async Task<string> UpAsync(ClientScene scene, uint credit, int size, int count, Func<ClientCall, int, int> grant)
    {
        var connection = await scene.AcceptAsync(Raw.Setting(SettingKey.StreamCredit, credit)).ConfigureAwait(false);
        await connection.GiveAsync(new ClientTask(ClientTask.Up, size, count)).ConfigureAwait(false);
        var call = (await connection.TakeAsync(SpecMethods.Up).ConfigureAwait(false))[0];
        for (int round = 0; !call.HasEnded; round++)
        {
            await connection.UntilAsync(() => call.HasEnded || (call.ItemCredit <= 0 && call.PartialItem is null), "items, as far as its credit goes")
                .ConfigureAwait(false);
            if (call.HasEnded) break;
            await connection.SettleAsync().ConfigureAwait(false); // items without credit would arrive now
            if (!call.HasEnded) await connection.GrantItemsAsync(call, grant(call, round)).ConfigureAwait(false);
        }

        if (call.Items.Count != count || !call.Items.TrueForAll(item => item.AsSpan().SequenceEqual(ClientTask.Content(size))))
        {
            throw new SpecFailure($"{call.Items.Count} items, or others than {count} of {size} bytes, byte i mod 251");
        }

        await connection.ReplyAsync(call, []).ConfigureAwait(false);
        await connection.ExpectAsync($"ok {count}").ConfigureAwait(false);
        return $"{count} items within the credit";
    }

    /// <summary>
    /// A client that takes items as they come may return the credit of the first one before the second one arrives, so it gets further tries.
    /// </summary>
    private static async Task<string> BeyondAsync(ClientScene scene)
    {
        const int Tries = 8;
        for (int attempt = 0; attempt < Tries; attempt++)
        {
            var connection = await scene.AcceptAsync().ConfigureAwait(false);
            if (connection.Peer.StreamCredit > MostCredit) return $"not sent: its credit is {connection.Peer.StreamCredit} bytes";
            await connection.GiveAsync(new ClientTask(ClientTask.Down, connection.Peer.StreamCredit, 2)).ConfigureAwait(false);
            var call = (await connection.TakeAsync(SpecMethods.Down).ConfigureAwait(false))[0];
            connection.Expected = ConnectionCode.FlowControlError;
            if (await connection.IsRefusedBeyondCreditAsync(call).ConfigureAwait(false))
            {
                await connection.EndAsync().ConfigureAwait(false);
                return "GOAWAY FlowControlError, closed";
            }

            if (call.ReplyCredit <= 0) throw new SpecFailure("an item taken when no credit of its stream was left");
            connection.Wire.Close();
        }

        return $"returned its credit at once, on {Tries} connections";
    }

    /// <param name="scene">The case.</param>
    /// <param name="size">Size of an item.</param>
    /// <param name="forgotten">Bytes per item that a faulty client may fail to return: sends so many items that its credit would be used up then. 0 for some
    /// items.</param>
    private static async Task<string> DownAsync(ClientScene scene, int size, int forgotten = 0)
    {
        const int Few = 4, Some = 200, Most = 50_000, Large = 16_384;
        var connection = await scene.AcceptAsync().ConfigureAwait(false);
        int count = forgotten > 0 ? Math.Min(Most, Some + connection.Peer.StreamCredit / forgotten) : size > Large ? Few : Some;
        var task = new ClientTask(ClientTask.Down, size, count);
        await connection.GiveAsync(task).ConfigureAwait(false);
        var call = (await connection.TakeAsync(SpecMethods.Down).ConfigureAwait(false))[0];
        for (int item = 0; item < count; item++) await connection.SendItemAsync(call, ClientTask.Content(size)).ConfigureAwait(false);
        await connection.ReplyAsync(call, []).ConfigureAwait(false);
        await connection.ExpectAsync($"ok {count} {(long)size * count}").ConfigureAwait(false);
        return $"{count} items";
    }
}
