using Mux.Protocol;
using Mux.ProtocolCases.Cases;
using Mux.ProtocolCases.Running;

namespace Mux.ProtocolCases.Clients;

/// <summary>Messages in one frame and in fragments, and the limits that a server announces for them.</summary>
internal static class ClientMessageCases
{
    private const int Large = 100_000;

    public static IEnumerable<ClientCase> All { get; } =
    [
        new("Small_messages_and_empty_ones", "replies of 0, 1 and 16384 bytes in one frame", "calls and takes the replies", async scene =>
        {
            var connection = await scene.AcceptAsync().ConfigureAwait(false);
            foreach (int size in (int[])[0, 1, 16_384]) await EchoAsync(connection, size).ConfigureAwait(false);
            return "three calls";
        }),
        new("A_request_and_a_reply_in_fragments", "a reply of 100000 bytes whose first continuation has one", "sends the request in fragments, takes the reply",
            async scene =>
        {
            await EchoAsync(await scene.AcceptAsync().ConfigureAwait(false), Large).ConfigureAwait(false);
            return "a call in fragments";
        }),
        new("Bodies_just_above_one_frame", "replies of the same 16385, 40000 and 60000 bytes", "sends each in fragments", async scene =>
        {
            var connection = await scene.AcceptAsync().ConfigureAwait(false);
            foreach (int size in (int[])[16_385, 40_000, 60_000]) await EchoAsync(connection, size).ConfigureAwait(false);
            return "three calls in fragments";
        }),
        new("Large_replies_beyond_the_clients_credit", "replies of 1 MB in all, within the client's bulk credit", "returns CREDIT", async scene =>
        {
            var connection = await scene.AcceptAsync().ConfigureAwait(false);
            int count = 2 + (int)Math.Min(30, connection.Peer.BulkCredit / Large);
            for (int call = 0; call < count; call++) await EchoAsync(connection, Large).ConfigureAwait(false);
            return $"{count} large replies";
        }) { MaxMessage = Large },
        new("A_lower_limit_of_frames", "setting 1 of 16384", "sends no frame above it", async scene =>
        {
            await EchoAsync(await scene.AcceptAsync(Raw.Setting(SettingKey.MaxFramePayload, 16_384u)).ConfigureAwait(false), 40_000).ConfigureAwait(false);
            return "a call in smaller fragments";
        }),
        new("A_lower_limit_of_messages", "setting 2 of 16384", "fails the larger call itself: ResourceExhausted, not executed", async scene =>
        {
            var connection = await scene.AcceptAsync(Raw.Setting(SettingKey.MaxMessage, 16_384u)).ConfigureAwait(false);
            await connection.GiveAsync(new ClientTask(ClientTask.Echo, 20_000, 1)).ConfigureAwait(false);
            await connection.ExpectAsync("failed 8 0").ConfigureAwait(false);
            if (connection.Calls.Exists(call => call.Method == SpecMethods.Echo)) throw new SpecFailure("a REQUEST of the call that is too large");
            return "no REQUEST of it";
        }),
        new("A_request_within_little_bulk_credit", "setting 5 of 10000, and CREDIT late", "waits for CREDIT", async scene =>
        {
            var connection = await scene.AcceptAsync(Raw.Setting(SettingKey.BulkCredit, 10_000u)).ConfigureAwait(false);
            await connection.GiveAsync(new ClientTask(ClientTask.Echo, Large, 1)).ConfigureAwait(false);
            await connection.UntilAsync(() => connection.Open(SpecMethods.Echo).Any(call => call.Body.Count > 0),
                "the continuation that its credit lets it send").ConfigureAwait(false);
            await connection.SettleAsync().ConfigureAwait(false);
            var call = connection.Open(SpecMethods.Echo).Single();
            if (call.IsWhole) throw new SpecFailure("all of a request that is larger than its credit");
            for (int bytes = call.Body.Count; !call.IsWhole; bytes = call.Body.Count)
            {
                await connection.GrantBulkAsync(30_000).ConfigureAwait(false);
                await connection.UntilAsync(() => call.IsWhole || call.Body.Count > bytes, "more of the request", "CREDIT").ConfigureAwait(false);
                if (!call.IsWhole) await connection.SettleAsync().ConfigureAwait(false);
            }

            await AnswerAsync(connection).ConfigureAwait(false);
            return "waited, and sent all of it";
        }),
        new("A_reply_byte_by_byte", "a reply of which every byte comes alone", "takes it", async scene =>
        {
            var connection = await scene.AcceptAsync().ConfigureAwait(false);
            await connection.GiveAsync(new ClientTask(ClientTask.Echo, 200, 1)).ConfigureAwait(false);
            var call = (await connection.TakeAsync(SpecMethods.Echo).ConfigureAwait(false))[0];
            call.IsAnswered = true;
            foreach (byte one in Raw.Frame(FrameKind.Response, call.Id, [.. call.Body])) await connection.SendAsync((byte[])[one]).ConfigureAwait(false);
            await connection.ExpectAsync("ok 1").ConfigureAwait(false);
            return "took it";
        }),
        new("Unknown_settings_and_extensions", "64 settings, unknown ones among them, and extension frames around a reply", "ignores them", async scene =>
        {
            var connection = await scene.AcceptAsync([.. Enumerable.Range(1_000, scene.RoomForSettings).Select(key => Raw.Setting((SettingKey)key, 1, 2, 3))])
                .ConfigureAwait(false);
            await connection.SendAsync(Raw.Frame(FrameKind.FirstExtension, new CallId(7, 7), new byte[100])).ConfigureAwait(false);
            await EchoAsync(connection, 8).ConfigureAwait(false);
            return "ignored them";
        }),
    ];

    /// <summary>Makes the client send one call, and answers with its content.</summary>
    private static async Task EchoAsync(ClientConnection connection, int size)
    {
        await connection.GiveAsync(new ClientTask(ClientTask.Echo, size, 1)).ConfigureAwait(false);
        await AnswerAsync(connection).ConfigureAwait(false);
    }

    private static async Task AnswerAsync(ClientConnection connection)
    {
        var call = (await connection.TakeAsync(SpecMethods.Echo).ConfigureAwait(false))[0];
        if (!call.Body.SequenceEqual(ClientTask.Content(call.Body.Count))) throw new SpecFailure("a request with another content than byte i mod 251");
        await connection.ReplyAsync(call, [.. call.Body]).ConfigureAwait(false);
        // a client that rejects such a reply gets a failure
        await connection.ExpectAsync(call.Body.Count > connection.Peer.MaxMessage ? "failed 8 2" : "ok 1").ConfigureAwait(false);
    }
}
