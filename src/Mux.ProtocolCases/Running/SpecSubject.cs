namespace Mux.ProtocolCases.Running;

/// <summary>One connection to the peer under examination.</summary>
/// <param name="wire">This end of it.</param>
internal class SpecSubject(SpecWire wire)
{
    public SpecWire Wire => wire;

    /// <summary>
    /// Makes the peer send three calls, of which the second is cancelled and the third answered, and optionally one with streams in both directions. Called
    /// only for a target that makes calls.
    /// </summary>
    /// <param name="scene">The connection, after the handshake.</param>
    /// <param name="withStream">True to open the fourth call, in the slot of the third.</param>
    /// <exception cref="SpecFailure">The peer does not make the calls.</exception>
    public virtual Task OpenCallsAsync(SpecScene scene, bool withStream) => throw new NotSupportedException();

    /// <summary>Checks each frame that the scene reads, before other code does.</summary>
    /// <exception cref="SpecFailure">The peer must not send it.</exception>
    public virtual void OnFrame(SpecFrame frame)
    {
    }

    /// <summary>Checks the state inside the peer after the end of the link.</summary>
    /// <param name="reaction">Required reaction to the input.</param>
    /// <param name="deadline">Ends the check.</param>
    /// <exception cref="SpecFailure">The state is wrong.</exception>
    public virtual Task CheckEndAsync(Cases.Reaction reaction, CancellationToken deadline) => Task.CompletedTask;
}
