using System.Diagnostics;
using Mux.Protocol;
using Mux.ProtocolCases.Cases;
using Mux.ProtocolCases.Running;

namespace Mux.ProtocolCases.Clients;

/// <summary>Concurrent calls, late replies, failures and drains.</summary>
internal static class ClientCallCases
{
    public static IEnumerable<ClientCase> All { get; } =
    [
        new("Replies_in_another_order", "ten replies, the last call's first", "delivers each reply to its call", async scene =>
        {
            var connection = await scene.AcceptAsync().ConfigureAwait(false);
            await connection.GiveAsync(new ClientTask(ClientTask.Echo, 8, 10)).ConfigureAwait(false);
            foreach (var call in (await connection.TakeAsync(SpecMethods.Echo, 10).ConfigureAwait(false)).Reverse())
            {
                await connection.ReplyAsync(call, [.. call.Body]).ConfigureAwait(false);
            }

            await connection.ExpectAsync("ok 10").ConfigureAwait(false);
            return "ten calls";
        }),
        new("No_more_calls_than_taken", "setting 3 of 4, and replies late", "has at most four calls open, and the others wait", async scene =>
        {
            var connection = await scene.AcceptAsync(Raw.Setting(SettingKey.MaxCalls, 4u)).ConfigureAwait(false);
            await connection.GiveAsync(new ClientTask(ClientTask.Echo, 8, 10)).ConfigureAwait(false);
            for (int answered = 0; answered < 10; answered++)
            {
                var call = (await connection.TakeAsync(SpecMethods.Echo).ConfigureAwait(false))[0];
                if (answered == 0) await connection.SettleAsync().ConfigureAwait(false);
                await connection.ReplyAsync(call, [.. call.Body]).ConfigureAwait(false);
            }

            await connection.ExpectAsync("ok 10").ConfigureAwait(false);
            return "ten calls in four slots";
        }),
        new("A_late_reply_to_a_call_that_expired", "the reply after CANCEL", "announces its deadline, cancels, drops the reply", async scene =>
        {
            var connection = await scene.AcceptAsync().ConfigureAwait(false);
            await connection.GiveAsync(new ClientTask(ClientTask.Deadline, 200)).ConfigureAwait(false);
            await connection.UntilAsync(() => connection.Calls.Exists(call => call is { Method: SpecMethods.Wait, IsCancelled: true, Head.HasDeadline: true }),
                $"CANCEL of a call of {SpecMethods.Wait} whose REQUEST has a deadline").ConfigureAwait(false);
            await connection.ExpectAsync("failed 4 1").ConfigureAwait(false);
            if (connection.Calls.Find(call => call.IsCancelled)!.CancelReason is not CancelReason.Deadline and var reason)
            {
                throw new SpecFailure($"CANCEL with the reason {(int)reason}, where {(int)CancelReason.Deadline} says that the deadline passed");
            }

            await connection.ReplyAsync(connection.Calls.Find(call => call.IsCancelled)!, [1, 2, 3]).ConfigureAwait(false);
            await connection.GiveAsync(new ClientTask(ClientTask.Echo, 8, 1)).ConfigureAwait(false);
            await AnswerAsync(connection).ConfigureAwait(false);
            return "dropped it";
        }),
        new("A_deadline_in_microseconds", "nothing unusual", "announces a deadline of 20 s in microseconds", async scene =>
        {
            const int Milliseconds = 20_000, Most = Milliseconds * 1_000, Least = Most / 2; // a slow client loses some of it before the REQUEST is made
            var connection = await scene.AcceptAsync().ConfigureAwait(false);
            await connection.GiveAsync(new ClientTask(ClientTask.Deadline, Milliseconds)).ConfigureAwait(false);
            await connection.UntilAsync(() => connection.Open(SpecMethods.Wait).Any(call => call is { IsWhole: true, Head.HasDeadline: true }),
                $"a call of {SpecMethods.Wait} whose REQUEST has a deadline").ConfigureAwait(false);
            var call = connection.Open(SpecMethods.Wait).First(call => call.Head.HasDeadline);
            uint announced = call.Head.DeadlineMicroseconds;
            if (announced is < Least or > Most) throw new SpecFailure($"a deadline of {announced} us, where {Milliseconds} ms are {Most} us");
            await connection.FailAsync(call, MuxStatus.NotFound, MuxExecution.Executed).ConfigureAwait(false);
            await connection.ExpectAsync("failed 5 2").ConfigureAwait(false);
            return "announced it";
        }),
        new("A_call_that_failed", "FAIL(NotFound, executed)", "reports status and execution, and calls on", async scene =>
        {
            var connection = await scene.AcceptAsync().ConfigureAwait(false);
            await connection.GiveAsync(new ClientTask(ClientTask.Calls, 8, 1)).ConfigureAwait(false);
            var call = (await connection.TakeAsync(SpecMethods.Echo).ConfigureAwait(false))[0];
            await connection.FailAsync(call, MuxStatus.NotFound, MuxExecution.Executed).ConfigureAwait(false);
            await connection.ExpectAsync("failed 5 2").ConfigureAwait(false);
            return "reported it";
        }),
        new("A_call_that_failed_with_the_status_0", "FAIL with the status 0, executed", "reports Internal, executed", async scene =>
        {
            var connection = await scene.AcceptAsync().ConfigureAwait(false);
            await connection.GiveAsync(new ClientTask(ClientTask.Calls, 8, 1)).ConfigureAwait(false);
            var call = (await connection.TakeAsync(SpecMethods.Echo).ConfigureAwait(false))[0];
            await connection.FailAsync(call, MuxStatus.Ok, MuxExecution.Executed).ConfigureAwait(false);
            await connection.ExpectAsync("failed 13 2").ConfigureAwait(false);
            return "reported it";
        }),
        new("A_call_that_was_not_executed", "FAIL(Unavailable, not executed), and then a reply", "retries the call", async scene =>
        {
            var connection = await scene.AcceptAsync().ConfigureAwait(false);
            await connection.GiveAsync(new ClientTask(ClientTask.Calls, 8, 1)).ConfigureAwait(false);
            var call = (await connection.TakeAsync(SpecMethods.Echo).ConfigureAwait(false))[0];
            await connection.FailAsync(call, MuxStatus.Unavailable, MuxExecution.NotExecuted).ConfigureAwait(false);
            await AnswerAsync(connection).ConfigureAwait(false);
            return "made it again";
        }),
        new("A_connection_lost_with_a_call_open", "the end of the connection in place of a reply",
            "reports that the call may have executed, and does not retry it", async scene =>
        {
            var connection = await scene.AcceptAsync().ConfigureAwait(false);
            await connection.GiveAsync(new ClientTask(ClientTask.Calls, 8, 1)).ConfigureAwait(false);
            await connection.TakeAsync(SpecMethods.Echo).ConfigureAwait(false);
            connection.Wire.Close();
            var next = await scene.AcceptAsync().ConfigureAwait(false);
            await next.ExpectAsync("failed 14 1").ConfigureAwait(false);
            if (next.Calls.Exists(call => call.Method == SpecMethods.Echo)) throw new SpecFailure("the call that may have executed once more");
            return "came back, and reported it";
        }),
        new("A_call_beyond_what_the_client_takes", "DEFINE, and a REQUEST in the slot after those of setting 3", "GOAWAY ProtocolError, and ends",
            async scene =>
        {
            var connection = await scene.AcceptAsync().ConfigureAwait(false);
            connection.Expected = ConnectionCode.ProtocolError;
            byte[] call = [.. Raw.Define(0, 0, SpecMethods.Echo), .. Raw.Request(Math.Min(connection.Peer.MaxCalls + 1, CallId.MaxSlot), 1, 0)];
            await connection.SendAsync(call).ConfigureAwait(false);
            await connection.EndAsync().ConfigureAwait(false);
            return connection.HasSaidExpected ? "GOAWAY ProtocolError, closed" : throw new SpecFailure("closed without GOAWAY");
        }),
        new("The_end_of_its_stream_behind_GOAWAY", "a PING of 7 bytes, and no end of this side's stream",
            "GOAWAY ProtocolError, and ends its sending direction at once", EndAsync),
        new("An_answer_to_a_definition", "setting 13, and an answer to the client's first DEFINE",
            "takes it if the DEFINE had a fingerprint, else GOAWAY ProtocolError", async scene =>
        {
            var connection = await scene.AcceptAsync(Raw.Setting(SettingKey.Fingerprints, 1u)).ConfigureAwait(false);
            await connection.UntilAsync(() => connection.HasFingerprint is not null, "the client's first DEFINE").ConfigureAwait(false);
            await connection.SendAsync(Raw.DefineAnswer(0)).ConfigureAwait(false);
            if (connection.HasFingerprint == true)
            {
                await connection.SettleAsync().ConfigureAwait(false);
                return "took it";
            }

            connection.Expected = ConnectionCode.ProtocolError;
            await connection.EndAsync().ConfigureAwait(false);
            return connection.HasSaidExpected ? "GOAWAY ProtocolError, closed" : throw new SpecFailure("closed without GOAWAY");
        }),
        new("A_shared_key_that_expires", "an acceptance for 1.5 s, with the right proof", "shows its key again, for the nonce of the acceptance", async scene =>
        {
            var connection = await scene.AcceptAsync(1_500, []).ConfigureAwait(false);
            connection.MaxRenewals = 1;
            await connection.UntilAsync(() => connection.Renewals == 1, "another proof of the shared key").ConfigureAwait(false);
            await connection.GiveAsync(new ClientTask(ClientTask.Echo, 8, 1)).ConfigureAwait(false);
            await AnswerAsync(connection).ConfigureAwait(false);
            return "showed it again";
        }) { NeedsKey = true },
        new("A_drain_between_calls", "GOAWAY(Draining) after two of five replies",
            "acknowledges, makes the other calls on a new connection, leaves the old one", scene => DrainAsync(scene, withCallOpen: false)),
        new("A_drain_with_a_call_in_flight", "GOAWAY(Draining) before the second of five replies",
            "acknowledges, takes the reply, makes the other calls on a new connection", scene => DrainAsync(scene, withCallOpen: true)),
    ];

    /// <summary>
    /// A client that ends its direction only after this side's end closes after its second is over. A client that is only slow gets further tries.
    /// </summary>
    private static async Task<string> EndAsync(ClientScene scene)
    {
        const int Tries = 5;
        var most = TimeSpan.FromMilliseconds(800);
        var least = TimeSpan.MaxValue;
        for (int attempt = 0; attempt < Tries && least > most; attempt++)
        {
            var connection = await scene.AcceptAsync().ConfigureAwait(false);
            connection.Expected = ConnectionCode.ProtocolError;
            await connection.SendAsync(Raw.Frame(FrameKind.Ping, default, new byte[7])).ConfigureAwait(false);
            await connection.UntilAsync(() => connection.HasSaidExpected, "GOAWAY ProtocolError").ConfigureAwait(false);
            long begin = Stopwatch.GetTimestamp();
            await connection.EndAsync().ConfigureAwait(false);
            var elapsed = Stopwatch.GetElapsedTime(begin);
            if (elapsed < least) least = elapsed;
        }

        if (least <= most) return "ended it";
        throw new SpecFailure(
            $"the end of its stream {least.TotalMilliseconds:0} ms after GOAWAY, at the earliest of {Tries} times: " +
            "it waits for the server's end before its own");
    }

    private static async Task<string> DrainAsync(ClientScene scene, bool withCallOpen)
    {
        const int Count = 5;
        var old = await scene.AcceptAsync().ConfigureAwait(false);
        await old.GiveAsync(new ClientTask(ClientTask.Calls, 8, Count)).ConfigureAwait(false);
        var call = (await old.TakeAsync(SpecMethods.Echo).ConfigureAwait(false))[0];
        await old.ReplyAsync(call, [.. call.Body]).ConfigureAwait(false);
        call = (await old.TakeAsync(SpecMethods.Echo).ConfigureAwait(false))[0];
        if (!withCallOpen) await old.ReplyAsync(call, [.. call.Body]).ConfigureAwait(false);
        await old.DrainAsync().ConfigureAwait(false);
        await old.UntilAsync(() => old.HasAcknowledged, "the acknowledgement", "GOAWAY Draining").ConfigureAwait(false);
        if (withCallOpen) await old.ReplyAsync(call, [.. call.Body]).ConfigureAwait(false);
        // made before the client knew of the drain
        foreach (var crossed in old.Open(SpecMethods.Echo).Where(open => open.IsWhole).ToArray())
            await old.ReplyAsync(crossed, [.. crossed.Body]).ConfigureAwait(false);
        await old.AnswerHeldAsync().ConfigureAwait(false);

        int left = Count - old.Calls.Count(made => made.Method == SpecMethods.Echo);
        var next = await scene.AcceptAsync().ConfigureAwait(false);
        for (; left > 0; left--)
        {
            call = (await next.TakeAsync(SpecMethods.Echo).ConfigureAwait(false))[0];
            await next.ReplyAsync(call, [.. call.Body]).ConfigureAwait(false);
        }

        await next.ExpectAsync($"ok {Count}").ConfigureAwait(false);
        old.Wire.ShutdownSend(); // no call is open in either direction: the graceful end
        await old.EndAsync().ConfigureAwait(false);
        return "acknowledged, and came back with the other calls";
    }

    private static async Task AnswerAsync(ClientConnection connection)
    {
        var call = (await connection.TakeAsync(SpecMethods.Echo).ConfigureAwait(false))[0];
        await connection.ReplyAsync(call, [.. call.Body]).ConfigureAwait(false);
        await connection.ExpectAsync("ok 1").ConfigureAwait(false);
    }
}
