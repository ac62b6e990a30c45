using System.Buffers.Binary;
using Mux.Protocol;
using Mux.ProtocolCases.Cases;
using Mux.ProtocolCases.Running;

namespace Mux.ProtocolCases.Clients;

/// <content>Frames that this side sends for calls.</content>
internal sealed partial class ClientConnection
{
    private const int MaxWhole = 16_384;
    private const int MinCost = 64; // of a frame of an item

    /// <summary>Gives the client its next task, as the reply to its call of Task.</summary>
    public async Task GiveAsync(ClientTask task)
    {
        await UntilAsync(() => Open(ClientTask.Method).Any(call => call.IsWhole), $"its call of {ClientTask.Method}",
            isOpening: Calls.TrueForAll(call => !call.IsAnswered)).ConfigureAwait(false);
        scene.Begin("the client to do it", $"the task '{task}'");
        await ReplyAsync(Open(ClientTask.Method).First(), task.ToBytes()).ConfigureAwait(false);
    }

    /// <summary>Waits until the client reports the expected result of its task, and leaves the call open.</summary>
    /// <exception cref="SpecFailure">The result is another one.</exception>
    public async Task ExpectAsync(string result)
    {
        await UntilAsync(() => Open(ClientTask.Method).Any(call => call.IsWhole), $"the client to report '{result}' by its next call of {ClientTask.Method}")
            .ConfigureAwait(false);
        var reported = Open(ClientTask.Method).First().Text;
        if (reported != result && !reported.StartsWith(result + " ", StringComparison.Ordinal)) throw new SpecFailure($"the client reports '{reported}'");
    }

    /// <summary>Waits for complete, unanswered calls of a method.</summary>
    public async Task<IReadOnlyList<ClientCall>> TakeAsync(string method, int count = 1)
    {
        await UntilAsync(() => Open(method).Count(call => call.IsWhole) >= count, count == 1 ? $"its call of {method}" : $"{count} calls of {method} at a time")
            .ConfigureAwait(false);
        return [.. Open(method).Where(call => call.IsWhole)];
    }

    /// <summary>
    /// Sends a reply within the client's credit, in fragments if it is large. Sends the failure instead of a reply that the client does not accept.
    /// </summary>
    public async Task ReplyAsync(ClientCall call, byte[] body)
    {
        if (body.Length > peer.MaxMessage)
        {
            await FailAsync(call, MuxStatus.ResourceExhausted, MuxExecution.Executed).ConfigureAwait(false);
            return;
        }

        call.IsAnswered = true;
        if (body.Length <= MaxWhole)
        {
            await SendAsync(Raw.Frame(FrameKind.Response, call.Id, body)).ConfigureAwait(false);
            return;
        }

        await SendAsync(FragmentCases.First(FrameKind.Response, call.Id, (uint)body.Length)).ConfigureAwait(false);
        for (int at = 0, length; at < body.Length; at += length)
        {
            if (_peerBulk <= 0) await UntilAsync(() => _peerBulk > 0, "CREDIT of the client").ConfigureAwait(false);
            length = Math.Min(at == 0 ? 1 : Math.Min(MaxFragment, peer.MaxFramePayload), body.Length - at); // the receiver accepts any split
            _peerBulk -= length;
            await SendAsync(Raw.Frame(FrameKind.Response, call.Id, body[at..(at + length)], at + length < body.Length ? FrameFlags.More : FrameFlags.None))
                .ConfigureAwait(false);
        }
    }

    /// <summary>Sends an item, in fragments if it is large, once the client's credit allows it to begin.</summary>
    public async Task SendItemAsync(ClientCall call, byte[] item)
    {
        if (call.ReplyCredit <= 0) await UntilAsync(() => call.ReplyCredit > 0 || call.IsCancelled, "RESPONSE_CREDIT of the client").ConfigureAwait(false);
        if (item.Length <= MaxWhole)
        {
            await SendItemFrameAsync(call, item, FrameFlags.None).ConfigureAwait(false);
            return;
        }

        await SendItemFrameAsync(call, Raw.U32((uint)item.Length), FrameFlags.More).ConfigureAwait(false);
        for (int at = 0, length; at < item.Length; at += length)
        {
            length = Math.Min(Math.Min(MaxFragment, peer.MaxFramePayload), item.Length - at);
            await SendItemFrameAsync(call, item[at..(at + length)], at + length < item.Length ? FrameFlags.More : FrameFlags.None).ConfigureAwait(false);
        }
    }

    /// <summary>Sends an item that uses up the credit of its stream, with one byte of another item behind it in the same bytes.</summary>
    /// <returns>True if the client has refused the second item with the expected GOAWAY; false if it answers a PING after it.</returns>
    public async Task<bool> IsRefusedBeyondCreditAsync(ClientCall call)
    {
        var bytes = new List<byte>(Raw.Frame(FrameKind.ResponseItem, call.Id, Raw.U32((uint)peer.StreamCredit), FrameFlags.More));
        call.ReplyCredit -= MinCost;
        int fragment = Math.Min(MaxFragment, peer.MaxFramePayload);
        for (int at = 0, length; at < peer.StreamCredit; at += length)
        {
            length = Math.Min(fragment, peer.StreamCredit - at);
            bytes.AddRange(Raw.Frame(FrameKind.ResponseItem, call.Id, new byte[length], at + length < peer.StreamCredit ? FrameFlags.More : FrameFlags.None));
            call.ReplyCredit -= Math.Max(MinCost, FrameHeader.Size + length);
        }

        bytes.AddRange(Raw.Frame(FrameKind.ResponseItem, call.Id, [0]));
        var opaque = new byte[PingFrame.Length];
        BinaryPrimitives.WriteUInt64LittleEndian(opaque, ++_sentPing);
        bytes.AddRange(Raw.Frame(FrameKind.Ping, default, opaque));
        await SendAsync(bytes.ToArray()).ConfigureAwait(false);
        await UntilAsync(() => HasSaidExpected || _answeredPing == _sentPing, "GOAWAY FlowControlError, or the answer to a PING behind the items",
            "an item beyond its credit").ConfigureAwait(false);
        return HasSaidExpected;
    }

    public Task FailAsync(ClientCall call, MuxStatus status, MuxExecution execution)
    {
        call.IsAnswered = true;
        return SendAsync(Raw.Frame(FrameKind.Fail, call.Id, [(byte)status, (byte)execution, 0, 0, 0, 0, 4, 0, .. "spec"u8]));
    }

    /// <summary>Grants the client credit for bodies of requests.</summary>
    public Task GrantBulkAsync(int bytes)
    {
        _ownBulk += bytes;
        return SendAsync(Raw.Frame(FrameKind.Credit, default, Raw.U32((uint)bytes)));
    }

    private Task ReturnBulkAsync()
    {
        int bytes = _usedBulk;
        _usedBulk = 0;
        return GrantBulkAsync(bytes);
    }

    /// <summary>Grants the client credit for items.</summary>
    public Task GrantItemsAsync(ClientCall call, int bytes)
    {
        call.ItemCredit += bytes;
        return SendAsync(Raw.Frame(FrameKind.RequestCredit, call.Id, Raw.U32((uint)bytes)));
    }

    /// <summary>Announces that this side accepts no more calls.</summary>
    public Task DrainAsync() => SendAsync(Raw.Frame(FrameKind.GoAway, default, [(byte)ConnectionCode.Draining, 0, 0, 0, 0, 0]));

    /// <summary>Answers the calls that the client holds open, as after a drain.</summary>
    public async Task AnswerHeldAsync()
    {
        foreach (var held in Open(SpecMethods.Wait).Where(call => call.IsWhole).ToArray()) await ReplyAsync(held, []).ConfigureAwait(false);
    }

    private Task SendItemFrameAsync(ClientCall call, byte[] payload, FrameFlags flags)
    {
        call.ReplyCredit -= Math.Max(MinCost, FrameHeader.Size + payload.Length);
        return SendAsync(Raw.Frame(FrameKind.ResponseItem, call.Id, payload, flags));
    }
}
