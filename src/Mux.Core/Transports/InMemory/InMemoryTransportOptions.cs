namespace Mux.Transports.InMemory;

/// <summary>Settings of an <see cref="InMemoryTransport"/>; copied when the transport is made, so later changes have no effect.</summary>
public sealed class InMemoryTransportOptions
{
    private const int LargestCapacity = 16 * 1024 * 1024;

    /// <summary>
    /// Whether nothing happens until the test calls <see cref="InMemoryTransport.Pump"/> or <see cref="InMemoryTransport.PumpOne"/>, which then run all
    /// callbacks on the calling thread, in its ExecutionContext.
    /// </summary>
    /// <value>Default: <see langword="false"/>, a thread of the pool runs them as they come up.</value>
    public bool ManualPump { get; set; }

    /// <summary>Bytes that one direction of a connection holds before <see cref="Link.Send"/> accepts less than it was given.</summary>
    /// <value>Default: 65,536. From 1 to 16,777,216.</value>
    public int CapacityBytes { get; set; } = 65_536;

    /// <summary>The most new bytes in one <see cref="ILinkHandler.OnReceived"/>. 1 delivers byte by byte.</summary>
    /// <value>Default: 65,536. At least 1; what does not fit in the receive buffer comes with the next delivery anyway.</value>
    public int MaxDeliveryBytes { get; set; } = 65_536;

    /// <summary>
    /// Makes the size of each delivery a random number from 1 to what could be delivered, and the number of deliveries before
    /// <see cref="ILinkHandler.OnBatchEnd"/> random too. The same seed and the same calls in the same order give the same deliveries.
    /// </summary>
    /// <value>Default: <see langword="null"/>, as much as possible at once.</value>
    public int? Seed { get; set; }

    internal InMemoryTransportOptions Validated()
    {
        if (CapacityBytes is < 1 or > LargestCapacity)
            throw new ArgumentException($"{nameof(InMemoryTransportOptions)}.{nameof(CapacityBytes)} is {CapacityBytes}: expected 1 to {LargestCapacity}.");
        if (MaxDeliveryBytes < 1)
            throw new ArgumentException($"{nameof(InMemoryTransportOptions)}.{nameof(MaxDeliveryBytes)} is {MaxDeliveryBytes}: expected 1 or more.");
        return (InMemoryTransportOptions)MemberwiseClone();
    }
}
