namespace Mux.Tool.Load;

/// <summary>The proxy of a service that the tokens of a connection call: another one after the connection was replaced.</summary>
internal abstract class LaneService
{
    /// <summary>Makes further calls go to another channel.</summary>
    public abstract void MoveTo(MuxChannel channel);
}
