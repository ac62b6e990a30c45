namespace Mux.Transports.InMemory;

/// <summary>Options of an <see cref="InMemoryTransport"/>. Copied when the transport is created; later changes have no effect.</summary>
public sealed class InMemoryTransportOptions
{
    private const int LargestCapacity = 16 * 1024 * 1024;

    /// <summary>
    /// Gets or sets a value indicating whether nothing happens until the test calls <see cref="InMemoryTransport.Pump"/> or
    /// <see cref="InMemoryTransport.PumpOne"/>. These methods then run all callbacks on the calling thread, in its ExecutionContext.
    /// </summary>
    /// <value><see langword="false"/> by default: a thread of Mux runs the callbacks as they become due.</value>
    public bool ManualPump { get; set; }

    /// <summary>Number of bytes that one direction of a connection holds before <see cref="Link.Send"/> accepts fewer bytes than given.</summary>
    /// <value>1 to 16,777,216; 65,536 by default.</value>
    public int CapacityBytes { get; set; } = 65_536;

    /// <summary>Maximum number of new bytes in one <see cref="ILinkHandler.OnReceived"/>. 1 delivers byte by byte.</summary>
    /// <value>At least 1; 65,536 by default. Bytes that do not fit in the receive buffer always come with the next delivery.</value>
    public int MaxDeliveryBytes { get; set; } = 65_536;

    /// <summary>
    /// Gets or sets the seed of random deliveries. Each delivery then has a random size, from 1 byte to all that could be delivered, and the number of
    /// deliveries before <see cref="ILinkHandler.OnBatchEnd"/> is random too. The same seed and the same calls in the same order give the same deliveries.
    /// </summary>
    /// <value><see langword="null"/> by default: each delivery is as large as possible.</value>
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
