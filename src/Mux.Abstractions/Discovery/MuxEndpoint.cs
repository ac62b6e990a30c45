namespace Mux.Discovery;

/// <summary>One server of a service, as an <see cref="IEndpointSource"/> reports it. Immutable. Two endpoints are equal if all their parts are equal.</summary>
/// <param name="Address">Where it listens.</param>
public sealed record MuxEndpoint(MuxAddress Address)
{
    /// <summary>The weight of an endpoint whose source reports none: 100.</summary>
    public const int DefaultWeight = 100;

    /// <summary>The largest weight: 10,000.</summary>
    public const int MaxWeight = 10_000;

    /// <summary>Gets where it listens.</summary>
    public MuxAddress Address { get; } = Address ?? throw new ArgumentNullException(nameof(Address));

    /// <summary>Gets the zone in which it runs, for clients that prefer their own.</summary>
    /// <value>Null by default: unknown.</value>
    public string? Zone { get; init; }

    /// <summary>Gets its share of the calls, in relation to the weights of the others.</summary>
    /// <value>1 to 10,000; 100 by default.</value>
    /// <exception cref="ArgumentOutOfRangeException">The weight is less than 1 or more than 10,000.</exception>
    public int Weight
    {
        get;
        init
        {
            if (value is < 1 or > MaxWeight)
            {
                throw new ArgumentOutOfRangeException(nameof(value), value, $"The weight of {Address} must be from 1 to {MaxWeight}.");
            }

            field = value;
        }
    } = DefaultWeight;

    /// <summary>Gets the name of the server process that listens there, which tells a restarted server from its predecessor.</summary>
    /// <value>Null by default: unknown.</value>
    public string? Instance { get; init; }

    /// <summary>
    /// Gets a value indicating whether the server is about to stop. It still serves, but gets calls only if no other endpoint can take them.
    /// </summary>
    /// <value>False by default.</value>
    public bool IsLeaving { get; init; }
}
