using Mux.Runtime;
using Mux.Transports;

namespace Mux.TestSupport.Transports;

/// <summary>
/// What every transport has to do: each promise of <see cref="ITransport"/>, <see cref="Link"/> and <see cref="ILinkHandler"/> as a test. A transport
/// is done when a subclass that makes one passes. <see cref="LinkProbe"/> checks order, overlap and uniqueness of the callbacks in all of them.
/// </summary>
public abstract partial class TransportConformanceTests
{
    // What is used after it was given back shows in the bytes that arrive.
    static TransportConformanceTests() => BufferPool.Poison = true;

    /// <summary>The transport under test, a new one for each test.</summary>
    protected abstract ITransport CreateTransport();

    /// <summary>An address that is free to listen at, with port 0 where there are ports.</summary>
    protected abstract MuxAddress FreeAddress();

    /// <summary>Null where moving a message costs no allocation once everything is warm, as it should; else the reason why it does.</summary>
    protected virtual string? WhyNotFreeOfAllocations => null;

    /// <summary>Null where what was accepted before ShutdownSend goes out although the peer's stream has ended, as it should; else the reason why it does not.</summary>
    protected virtual string? WhyNotSentAfterThePeersEnd => null;

    /// <summary>How many links come and go in the test that looks for what they leave behind.</summary>
    protected virtual int ShortLinks => 3_000;

    /// <summary>An address at which there was a listener and is none any more.</summary>
    private MuxAddress DeadAddress(ITransport transport)
    {
        var listener = transport.Listen(FreeAddress(), link => link.Close());
        listener.Dispose();
        return listener.Address;
    }
}
