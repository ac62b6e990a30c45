namespace Mux.ProtocolCases.Running;

/// <summary>One connection to the peer under examination.</summary>
/// <param name="wire">This end of it.</param>
internal class SpecSubject(SpecWire wire)
{
    public SpecWire Wire => wire;

    /// <summary>Has the peer make three calls and cancel the second. Called of a target that makes calls only.</summary>
    public virtual void MakeCalls() => throw new NotSupportedException();

    /// <summary>Has the peer make a call with streams both ways.</summary>
    public virtual void MakeStreamCall() => throw new NotSupportedException();

    /// <summary>What is left to look at inside the peer when the link is over.</summary>
    /// <param name="reaction">What had to come of the input.</param>
    /// <param name="deadline">When to give up.</param>
    /// <exception cref="SpecFailure">It is not as it has to be.</exception>
    public virtual Task CheckEndAsync(Cases.Reaction reaction, CancellationToken deadline) => Task.CompletedTask;
}
