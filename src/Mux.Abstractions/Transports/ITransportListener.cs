namespace Mux.Transports;

/// <summary>A listener at one address. Disposing it stops accepting and releases the address; links accepted before live on.</summary>
/// <remarks>A listener outlives every error of a single accept, running out of file handles included: it backs off and tries again.</remarks>
public interface ITransportListener : IDisposable
{
    /// <summary>The address it listens at, with the real port where 0 was asked for.</summary>
    MuxAddress Address { get; }
}
