namespace Mux;

/// <summary>Options of one method in <see cref="MuxResilience.Methods"/>. What is not set is that of the channel.</summary>
public sealed class MuxMethodResilience
{
    /// <inheritdoc cref="MuxResilience.Attempts"/>
    /// <value>1 to 10, or null, the default, for the channel's value.</value>
    public int? Attempts { get; set; }

    /// <inheritdoc cref="MuxResilience.Hedge"/>
    /// <value>Null by default, which means the channel's value.</value>
    public MuxHedge? Hedge { get; set; }

    /// <summary>
    /// Gets or sets the statuses for which an idempotent call of the method is sent again, after it may have been executed. Calls that were not executed are
    /// sent again by <see cref="MuxResilience.Attempts"/> alone.
    /// </summary>
    /// <value>Any statuses except <see cref="MuxStatus.Ok"/> and <see cref="MuxStatus.Cancelled"/>; null, the default, for
    /// <see cref="MuxStatus.Unavailable"/> alone.</value>
    public IReadOnlyList<MuxStatus>? Statuses { get; set; }

    internal IEnumerable<OptionFailure> Validate()
    {
        if (Attempts is { } attempts and (< 1 or > MuxResilience.MostAttempts))
            yield return OptionFailure.OutOfRange(nameof(Attempts), attempts, $"1 to {MuxResilience.MostAttempts}");
        if (Hedge is { } hedge && !Enum.IsDefined(hedge)) yield return OptionFailure.OutOfRange(nameof(Hedge), hedge, "Off or P95");
        foreach (var status in Statuses ?? [])
        {
            if (!Enum.IsDefined(status) || status is MuxStatus.Ok or MuxStatus.Cancelled)
                yield return OptionFailure.OutOfRange(nameof(Statuses), status, "a status of a failure, except Cancelled");
        }
    }
}
