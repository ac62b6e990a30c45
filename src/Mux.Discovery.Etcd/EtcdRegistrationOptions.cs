namespace Mux.Discovery.Etcd;

/// <summary>How a server is registered in etcd. Read when a registry is created; later changes have no effect.</summary>
public sealed class EtcdRegistrationOptions : EtcdOptions
{
    /// <summary>
    /// Gets or sets the time after which etcd removes the registration of a process that has died. The registry renews it three times as often. A shorter time
    /// takes a dead server away earlier, and a server that was only cut off from etcd as well.
    /// </summary>
    /// <value>3 s to 1 hour, in whole seconds; 15 s by default.</value>
    public TimeSpan Lease { get; set; } = TimeSpan.FromSeconds(15);

    internal override IEnumerable<OptionFailure> Validate(EtcdTarget target)
    {
        foreach (var failure in base.Validate(target)) yield return failure;
        if (Lease < TimeSpan.FromSeconds(3) || Lease > TimeSpan.FromHours(1) || Lease.Ticks % TimeSpan.TicksPerSecond != 0)
            yield return OptionFailure.OutOfRange(nameof(Lease), Lease, "00:00:03 to 01:00:00, in whole seconds");
    }
}
