namespace Mux.ProtocolCases.Running;

/// <summary>One connection to the peer under examination.</summary>
/// <param name="wire">This end of it.</param>
internal class SpecSubject(SpecWire wire)
{
    public SpecWire Wire => wire;

    /// <summary>
    /// Has the peer make three calls, of which the second is cancelled and the third answered, and perhaps one with streams both ways. Called of a target that
    /// makes calls only.
    /// </summary>
    /// <param name="scene">The connection, on which hands were shaken.</param>
    /// <param name="withStream">Whether the fourth one is made, in the slot of the third.</param>
    /// <exception cref="SpecFailure">The peer does not make them.</exception>
    public virtual Task OpenCallsAsync(SpecScene scene, bool withStream) => throw new NotSupportedException();

    /// <summary>Looks at each frame that the scene reads, before anything else does.</summary>
    /// <exception cref="SpecFailure">The peer may not send it.</exception>
    public virtual void OnFrame(SpecFrame frame)
    {
    }

    /// <summary>What is left to look at inside the peer when the link is over.</summary>
    /// <param name="reaction">What had to come of the input.</param>
    /// <param name="deadline">When to give up.</param>
    /// <exception cref="SpecFailure">It is not as it has to be.</exception>
    public virtual Task CheckEndAsync(Cases.Reaction reaction, CancellationToken deadline) => Task.CompletedTask;
}
