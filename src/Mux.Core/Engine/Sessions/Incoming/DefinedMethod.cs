using Mux.Contracts;
using Mux.Protocol;

namespace Mux.Engine;

/// <summary>A method that the peer has given an ordinal, and the checks for each of its requests. Sixteen bytes: a peer may define tens of thousands.</summary>
/// <param name="method">Runs its requests.</param>
/// <param name="maxMessage">Length of the longest request or item that is accepted, in bytes.</param>
internal struct DefinedMethod(InboundMethod method, int maxMessage)
{
    private const byte Options = 1, Access = 2, Decoding = 4, Callers = 8;
    private const RequestOptions OfHandlers = RequestOptions.Idempotent | RequestOptions.Key | RequestOptions.Ordered; // which only a handler reads
    private const byte Charged = 0x80; // a free bit of _streams, which requests of a plain method do not read

    private byte _streams = (byte)method.Streams;
    private byte _looks = method.ShowsOptions ? Options : (byte)0;

    /// <summary>True if this side has the method.</summary>
    public readonly bool IsServed { get; } = method.IsServed;

    /// <summary>True if it is served and its calls have no streams, like most.</summary>
    public readonly bool IsPlain { get; } = method.IsServed && method.Streams == MethodShape.Unary;

    /// <summary>Runs its requests.</summary>
    public InboundMethod Method { readonly get; private set; } = method;

    public readonly int MaxMessage { get; } = maxMessage;

    /// <summary>True if its handler sees the options of a request.</summary>
    public readonly bool ShowsOptions => (_looks & Options) != 0;

    /// <summary>True if options of a request need the long way: others than those that only a handler reads, or its handler reads them.</summary>
    public readonly bool Reads(RequestOptions options) =>
        ShowsOptions || (options & ~(JudgesCallers ? OfHandlers : OfHandlers | RequestOptions.HopsMask)) != 0;

    /// <summary>True if it has not been checked yet whether the peer may call it.</summary>
    public readonly bool IsGuarded => (_looks & Access) != 0;

    /// <summary>True if each request that a gateway forwards is checked: its caller is another one than the peer.</summary>
    public readonly bool JudgesCallers => (_looks & Callers) != 0;

    /// <summary>True if requests of it could recently not be decoded.</summary>
    public readonly bool IsSuspect => (_looks & Decoding) != 0;

    /// <summary>True if its requests need more checks than decoding.</summary>
    public readonly bool TakesTime => (_looks & ~(Options | Callers)) != 0;

    /// <summary>The streams of its calls.</summary>
    public readonly MethodShape Streams => (MethodShape)(_streams & ~Charged);

    /// <summary>True if a request agrees with it about a request stream.</summary>
    public readonly bool Agrees(RequestOptions options) => SaysStream(options) == ((Streams & MethodShape.RequestStream) != 0);

    /// <summary>True if a request says that a stream follows it.</summary>
    public static bool SaysStream(RequestOptions options) => (options & RequestOptions.Stream) != 0;

    /// <summary>Has the next request checked: the access of the peer may have changed.</summary>
    public void Guard()
    {
        if (Method.Descriptor is not { } descriptor) return; // methods that are not here are refused anyway
        _looks |= Access;
        if (descriptor.Authorization is not { AllowsAnonymous: true }) _looks |= Callers;
    }

    /// <summary>Gets this method for one request whose caller is judged where it runs.</summary>
    public readonly DefinedMethod With(InboundMethod method) => this with { Method = method };

    /// <summary>Has the next requests checked before they are decoded: one could not be decoded.</summary>
    public void Suspect() => _looks |= Decoding;

    /// <summary>Ends the suspicion: for a while all requests could be decoded.</summary>
    public void Unsuspect() => _looks &= unchecked((byte)~Decoding);

    /// <summary>Notes that a request of it is refused for misuse.</summary>
    /// <returns>True if it is the first: later ones repeat the same mistake.</returns>
    public bool TryCharge()
    {
        if ((_streams & Charged) != 0) return false;
        _streams |= Charged;
        Method = Method.Repeated;
        return true;
    }

    /// <summary>Lets the peer call it until its access changes.</summary>
    public void Unguard() => _looks &= unchecked((byte)~Access);
}
