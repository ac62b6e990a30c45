using Mux.Serialization;
using Mux.Wire;

namespace Mux.Connections;

/// <summary>One request that is being answered. Exactly one of the answering members is called, once.</summary>
/// <param name="Acceptor">The side it came to.</param>
/// <param name="Method">What runs it.</param>
/// <param name="Id">Its id.</param>
/// <param name="IsOneWay">Nobody waits for the answer, which is empty.</param>
/// <param name="Due">When it expires, or <see cref="Clock.Never"/>.</param>
/// <param name="MeasuredFrom">When it arrived, if somebody measures; else 0.</param>
/// <param name="InTurn">The answer may be written while <see cref="InboundMethod.Invoke"/> runs, by <see cref="BeginReply"/> and <see cref="CommitReply"/>.</param>
internal readonly record struct InboundCall(Acceptor Acceptor, InboundMethod Method, CallId Id, bool IsOneWay, long Due, bool InTurn, long MeasuredFrom = 0)
{
    /// <summary>Before the handler is started late: answers the call if nobody waits for it any more.</summary>
    /// <returns>Whether it is answered.</returns>
    public bool TryFailAbandoned()
    {
        if (Acceptor.IsEnded || Acceptor.IsCancelled(Id)) Fail(MuxStatus.Cancelled, MuxExecution.NotExecuted, "The caller gave the call up before its handler started.");
        else if (IsExpired) Fail(MuxStatus.DeadlineExceeded, MuxExecution.NotExecuted, "The deadline passed before the handler started.");
        else return false;
        return true;
    }

    /// <summary>Whether the deadline has passed.</summary>
    public bool IsExpired => Due <= Acceptor.Clock.Now;

    /// <summary>A token for the handler, to be released when it has returned.</summary>
    public InboundCancellation OpenCancellation() => Acceptor.OpenCancellation(this);

    /// <summary>In the turn: where the reply is encoded.</summary>
    public MessageWriter BeginReply() => Acceptor.BeginReply();

    /// <summary>In the turn: the reply is encoded.</summary>
    public void CommitReply(ref MessageWriter writer) => Acceptor.CommitReply(this, ref writer);

    /// <summary>In the turn: encoding the reply failed; <see cref="Fail"/> follows.</summary>
    public void AbortReply() => Acceptor.AbortReply();

    /// <summary>Anywhere: the reply in its bytes.</summary>
    public void Reply(ReadOnlySpan<byte> body) => Acceptor.Reply(this, body);

    /// <summary>Anywhere: there is no reply.</summary>
    public void Fail(MuxStatus status, MuxExecution execution, string text) => Acceptor.Fail(this, status, execution, text);
}
