using Mux.Protocol;
using Mux.ProtocolCases.Running;

namespace Mux.ProtocolCases.Clients;

/// <content>Frames of calls.</content>
internal sealed partial class ClientConnection
{
    private void TakeCall(SpecFrame frame)
    {
        var call = Calls.FindLast(call => call.Id == frame.Id);
        if (frame.Kind == FrameKind.Request && (call is null || call.IsWhole)) OpenCall(frame);
        else if (call is null) throw new SpecFailure($"{frame} for slot {frame.Id.Slot}, generation {frame.Id.Generation}, which is not an open call");
        else if (frame.Kind == FrameKind.Request) ContinueRequest(call, frame);
        else if (frame.Kind == FrameKind.RequestItem) TakeItem(call, frame);
        else if (frame.Kind == FrameKind.RequestEnd) EndItems(call);
        else if (frame.Kind == FrameKind.Cancel) Cancel(call, frame);
        else if (frame.Kind == FrameKind.ResponseCredit) call.ReplyCredit = Granted(call.ReplyCredit, frame);
        else throw new SpecFailure($"{frame}, which answers nothing");
    }

    private void OpenCall(SpecFrame frame)
    {
        if (HasAcknowledged) throw new SpecFailure("a REQUEST after the acknowledgement of the drain");
        _slots.Open(frame.Id, Calls.Exists(call => call.Id.Slot == frame.Id.Slot && !call.IsAnswered));
        if (!RequestHead.TryRead(frame.Payload, out var head, out var violation)) throw new SpecFailure($"a REQUEST that breaks a rule: {violation!.Text}");
        if (!_methods.TryGetValue(head.Ordinal, out var method)) throw new SpecFailure($"a REQUEST with the ordinal {head.Ordinal}, which is not defined");
        var call = new ClientCall(frame.Id, method, head) { ItemCredit = own.StreamCredit, ReplyCredit = peer.StreamCredit };
        Calls.Add(call);
        var rest = frame.Payload.AsSpan(head.Length);
        if (frame.Has(FrameFlags.More))
        {
            if (!FragmentHead.TryRead(rest, out int total, out violation)) throw new SpecFailure($"a REQUEST that breaks a rule: {violation!.Text}");
            if (total > own.MaxMessage) throw new SpecFailure($"a message of {total} bytes, above the {own.MaxMessage} of setting 2");
            call.Total = total;
            rest = rest[FragmentHead.Length..];
        }

        if (frame.Has(FrameFlags.Meta))
        {
            if (!MetadataBlock.TryRead(rest, own.MaxMetadata, out int length, out _, out violation))
            {
                throw new SpecFailure($"metadata that breaks a rule: {violation!.Text}");
            }

            rest = rest[length..];
        }

        if (call.Total >= 0 && !rest.IsEmpty) throw new SpecFailure("a first fragment with body");
        call.Body.AddRange(rest);
        call.IsWhole = call.Total < 0;
        if (call.IsWhole) CheckWhole("a REQUEST", rest.Length);
    }

    private void ContinueRequest(ClientCall call, SpecFrame frame)
    {
        CheckFragment(frame);
        if (_ownBulk <= 0) throw new SpecFailure("a continuation of a REQUEST when no bulk credit is left");
        _ownBulk -= frame.Header.Length;
        _usedBulk += frame.Header.Length;
        call.Body.AddRange(frame.Payload);
        call.IsWhole = !frame.Has(FrameFlags.More);
        CheckTotal(call.Body.Count, call.Total, call.IsWhole);
    }

    private static void TakeItem(ClientCall call, SpecFrame frame)
    {
        if (call.IsAnswered || call.IsCancelled) return; // the item crossed the answer
        if (call.HasEnded || !call.IsWhole || !call.Head.Options.HasFlag(RequestOptions.Stream)) throw new SpecFailure($"{frame} for a call that accepts none");
        if (call.PartialItem is null && call.ItemCredit <= 0) throw new SpecFailure("an item that begins when no credit of its stream is left");
        call.ItemCredit -= Math.Max(64, FrameHeader.Size + frame.Header.Length);
        if (call.PartialItem is { } partial)
        {
            CheckFragment(frame);
            partial.AddRange(frame.Payload);
            CheckTotal(partial.Count, call.ItemTotal, !frame.Has(FrameFlags.More));
            if (frame.Has(FrameFlags.More)) return;
            call.Items.Add([.. partial]);
            call.PartialItem = null;
        }
        else if (frame.Has(FrameFlags.More))
        {
            if (!FragmentHead.TryRead(frame.Payload, out int total, out var violation)) throw new SpecFailure($"an item that breaks a rule: {violation!.Text}");
            if (frame.Payload.Length > FragmentHead.Length) throw new SpecFailure("a first fragment of an item with body");
            (call.PartialItem, call.ItemTotal) = ([], total);
        }
        else
        {
            CheckWhole("an item", frame.Payload.Length);
            call.Items.Add(frame.Payload);
        }
    }

    private static void Cancel(ClientCall call, SpecFrame frame)
    {
        if (!CancelFrame.TryRead(frame.Payload, out var reason, out var violation)) throw new SpecFailure($"a CANCEL that breaks a rule: {violation!.Text}");
        (call.IsCancelled, call.CancelReason) = (true, reason);
    }

    private static void EndItems(ClientCall call)
    {
        if (call.IsAnswered || call.IsCancelled) return;
        if (call.HasEnded || call.PartialItem is not null) throw new SpecFailure("REQUEST_END where it is not allowed");
        call.HasEnded = true;
    }

    private static void CheckWhole(string what, int length)
    {
        if (length > MaxWhole) throw new SpecFailure($"{what} with a body of {length} bytes in one frame, where more than {MaxWhole} come in fragments");
    }

    private static void CheckFragment(SpecFrame frame)
    {
        if (frame.Header.Length is 0 or > MaxFragment) throw new SpecFailure($"a continuation of {frame.Header.Length} bytes");
    }

    private static void CheckTotal(int bytes, int total, bool isWhole)
    {
        if (bytes > total || (isWhole && bytes < total)) throw new SpecFailure($"{bytes} bytes of a message whose total is {total}");
    }
}
