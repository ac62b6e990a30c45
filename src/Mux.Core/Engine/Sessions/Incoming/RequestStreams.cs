using Mux.Protocol;
using Mux.Runtime;

namespace Mux.Engine;

/// <summary>Reads the frames that the peer sends for the streams of its calls: items, their end, and credit for response streams. Turn only.</summary>
/// <param name="session">The session of the connection.</param>
/// <param name="slots">The requests by slot.</param>
/// <param name="messages">Messages that arrive in fragments, including requests.</param>
/// <param name="budgets">Budgets for frames that are cheap to send.</param>
/// <param name="deliveries">Streams with items that their consumers do not know yet.</param>
internal sealed class RequestStreams(Session session, RequestSlots slots, PartialMessages messages, PeerBudgets budgets, ItemDeliveries deliveries)
{
    public ProtocolViolation? OnItem(FrameHeader header, ReadOnlySpan<byte> payload)
    {
        if (!IsOfOpenCall(header, out var violation)) return violation;
        if (slots.FindStream(header.Id) is not { Items: { } items, Window: { } window } stream) return NoStream(header);
        if (slots.IsCancelled(header.Id)) return Discard(header);
        if (stream.IsEnded) return NoStream(header);
        if (stream.IsRefused) return Discard(header); // an item that was begun may be finished, whatever it costs
        var begun = messages.Find(FrameKind.RequestItem, header.Id);
        violation = window.OnFrame(payload.Length, isFirst: begun is null);
        if (violation is not null) return violation;
        if (begun is not null)
        {
            violation = messages.AddOfItem(header, payload, begun, items, window, deliveries);
            if (begun.IsStarved)
            {
                session.Options.Shared!.OnRefused(session.Reassembly.Verdict);
                Refuse(stream, session.Reassembly.DescribeLack("item", begun.Length));
            }

            return violation;
        }

        int cost = CreditFrame.CostOfItem(payload.Length);
        if ((header.Flags & FrameFlags.More) != 0) return BeginItem(header, payload, stream, cost);
        if (payload.Length > stream.MaxItem)
        {
            Refuse(stream, TooLarge("An item", payload.Length, stream.MaxItem));
            return null;
        }

        if (items.OnItem(payload, cost)) deliveries.Add(items);
        return null;
    }

    public ProtocolViolation? OnEnd(FrameHeader header, ReadOnlySpan<byte> payload)
    {
        if (!payload.IsEmpty) return new(ConnectionCode.ProtocolError, $"{header.Kind} {header.Id} carries {payload.Length} bytes; it must be empty.");
        if (!IsOfOpenCall(header, out var violation)) return violation;
        if (slots.FindStream(header.Id) is not { Items: { } items } stream) return NoStream(header);
        if (slots.IsCancelled(header.Id)) return Discard(header);
        if (stream.IsEnded) return NoStream(header);
        if (messages.Find(FrameKind.RequestItem, header.Id) is not null) return new(ConnectionCode.ProtocolError, $"{header.Kind} {header.Id} inside an item.");
        stream.IsEnded = true;
        if (!stream.IsRefused) items.OnEnd(null, Turn.Current);
        return null;
    }

    /// <summary>Handles credit of a response stream: in bytes, or in items.</summary>
    public ProtocolViolation? OnCredit(FrameHeader header, ReadOnlySpan<byte> payload)
    {
        if (!CreditFrame.TryRead(payload, header.Kind, out int credit, out var violation)) return violation;
        if (!IsOfOpenCall(header, out violation)) return violation;
        if (slots.FindStream(header.Id) is not { Responses: { } responses }) return NoStream(header);
        bool isOver = slots.IsCancelled(header.Id); // what is granted has no effect, so it breaks no rule either
        lock (session.Gate)
        {
            if (header.Kind == FrameKind.ItemCredit) return responses.AddItemCreditLocked(isOver ? 0 : credit);
            return isOver ? null : responses.AddCreditLocked(credit);
        }
    }

    /// <summary>Begins a message of the peer that comes in fragments.</summary>
    /// <returns>True if there is room.</returns>
    public bool TryBegin(PartialMessage message)
    {
        var budget = session.Reassembly;
        budget.MakeRoomFor(message.Length, message.Beside);
        if (messages.TryBegin(message)) return true;
        if (budget.Verdict != MemoryVerdict.Granted) session.Options.Shared!.OnRefused(budget.Verdict);
        return false;
    }

    /// <summary>Ends a stream because of what came for it.</summary>
    public static void Refuse(AcceptedStream stream, string why)
    {
        stream.IsRefused = true;
        stream.Items!.OnEnd(new CallFailure(MuxStatus.ResourceExhausted, MuxExecution.Executed, MuxCallPhase.Decode, why), Turn.Current);
    }

    /// <summary>Gets the message for the peer about a message that is too large.</summary>
    public static string TooLarge(string what, int length, int limit) => $"{what} is {length} bytes; MaxMessageBytes allows {limit}.";

    private ProtocolViolation? BeginItem(FrameHeader header, ReadOnlySpan<byte> payload, AcceptedStream stream, int cost)
    {
        if (!FragmentHead.TryReadAlone(header, payload, out int total, out var violation)) return violation;
        var refusal = total > stream.MaxItem ? TooLarge("An item", total, stream.MaxItem) : null;
        if (refusal is null && !TryBegin(new PartialMessage(FrameKind.RequestItem, header.Id, total, isUnwanted: false) { Cost = cost }))
        {
            refusal = session.Reassembly.DescribeLack("item", total);
        }

        if (refusal is not null) Refuse(stream, refusal);
        return null;
    }

    /// <summary>True if a frame belongs to an open call.</summary>
    /// <param name="header">Header of the frame, which is handled here if the call is not open.</param>
    /// <param name="violation">The rule that the frame then breaks, or null.</param>
    private bool IsOfOpenCall(FrameHeader header, out ProtocolViolation? violation)
    {
        var relation = slots.Find(header.Id);
        violation = relation switch
        {
            RequestSlots.Relation.Stranger => Stranger(header),
            RequestSlots.Relation.Answered => Discard(header),
            _ => null,
        };
        return relation == RequestSlots.Relation.Open;
    }

    /// <summary>Discards a frame that crossed with the answer.</summary>
    private ProtocolViolation? Discard(FrameHeader header)
    {
        messages.Drop(FrameKind.RequestItem, header.Id);
        session.Received.DiscardedFrames++;
        if (header.Kind is not (FrameKind.ResponseCredit or FrameKind.ItemCredit)) budgets.NoteDiscarded(); // credit is no message in any case
        return null;
    }

    /// <summary>Handles a frame for a stream that its open call does not have, unless another thread is just answering the call.</summary>
    private ProtocolViolation? NoStream(FrameHeader header)
    {
        bool isAnswered;
        lock (session.Gate) isAnswered = slots.Find(header.Id) == RequestSlots.Relation.Answered;
        return isAnswered
            ? Discard(header)
            : new(ConnectionCode.ProtocolError,
                $"{header.Kind} for call {header.Id}, which has no such stream, whose request is not complete, or whose stream has ended.");
    }

    private static ProtocolViolation Stranger(FrameHeader header) =>
        new(ConnectionCode.ProtocolError, $"{header.Kind} for call {header.Id}, which is not the last of its slot.");
}
