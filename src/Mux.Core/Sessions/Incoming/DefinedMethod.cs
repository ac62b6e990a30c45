using Mux.Contracts;

namespace Mux.Sessions.Incoming;

/// <summary>A method that the peer has given a number, and what is asked of it for each request. Sixteen bytes: a peer may define tens of thousands.</summary>
/// <param name="method">What runs its requests.</param>
/// <param name="maxMessage">Bytes of the longest request or item that it takes.</param>
internal struct DefinedMethod(InboundMethod method, int maxMessage)
{
    private const byte Options = 1, Access = 2, Decoding = 4;
    private const byte Charged = 0x80; // beside the streams, which no request of a plain method asks for

    private byte _streams = (byte)method.Streams;
    private byte _looks = method.Descriptor?.TakesOptions == true ? Options : (byte)0;

    /// <summary>Whether this side has it.</summary>
    public readonly bool IsServed { get; } = method.IsServed;

    /// <summary>Whether it is served, and its calls have no streams: what most requests are for.</summary>
    public readonly bool IsPlain { get; } = method.IsServed && method.Streams == MethodShape.Unary;

    public readonly InboundMethod Method { get; } = method;

    public readonly int MaxMessage { get; } = maxMessage;

    /// <summary>Whether its handler sees what a request says of itself.</summary>
    public readonly bool ShowsOptions => (_looks & Options) != 0;

    /// <summary>Whether nobody has looked yet whether the peer may call it.</summary>
    public readonly bool IsGuarded => (_looks & Access) != 0;

    /// <summary>Whether requests of it could not be decoded, lately.</summary>
    public readonly bool IsSuspect => (_looks & Decoding) != 0;

    /// <summary>Whether more has to be done for its requests than to decode them.</summary>
    public readonly bool TakesTime => _looks != 0;

    /// <summary>The streams of its calls.</summary>
    public readonly MethodShape Streams => (MethodShape)(_streams & ~Charged);

    /// <summary>Has the next request looked at: somebody else may be at the other end.</summary>
    public void Guard()
    {
        if (Method.Descriptor is not null) _looks |= Access; // what is not here is refused anyway
    }

    /// <summary>A request of it could not be decoded: the next ones are looked at before they are.</summary>
    public void Suspect() => _looks |= Decoding;

    /// <summary>None was for a while.</summary>
    public void Unsuspect() => _looks &= unchecked((byte)~Decoding);

    /// <summary>A request of it is refused for what it is.</summary>
    /// <returns>Whether it is the first: the others are the same mistake.</returns>
    public bool TryCharge()
    {
        if ((_streams & Charged) != 0) return false;
        _streams |= Charged;
        return true;
    }

    /// <summary>The peer may call it, until somebody else is there.</summary>
    public void Unguard() => _looks &= unchecked((byte)~Access);
}
