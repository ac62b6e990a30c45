namespace Mux;

/// <summary>The type of "nothing": the request of a method without arguments and the reply of a method without a result. Zero bytes on the wire.</summary>
public readonly struct MuxUnit : IEquatable<MuxUnit>
{
    /// <inheritdoc/>
    public bool Equals(MuxUnit other) => true;

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is MuxUnit;

    /// <inheritdoc/>
    public override int GetHashCode() => 0;

    /// <summary>Any two are equal.</summary>
    public static bool operator ==(MuxUnit left, MuxUnit right) => true;

    /// <summary>Any two are equal.</summary>
    public static bool operator !=(MuxUnit left, MuxUnit right) => false;

    /// <summary>Makes a task without a result look like one with an empty result, without a state machine when it is complete already.</summary>
    /// <param name="task">Consumed by this call.</param>
    public static ValueTask<MuxUnit> From(ValueTask task)
    {
        if (!task.IsCompletedSuccessfully) return AwaitAsync(task);
        task.GetAwaiter().GetResult(); // a pooled source wants its result taken
        return default;
    }

    /// <inheritdoc cref="From(ValueTask)"/>
    public static ValueTask<MuxUnit> From(Task task) => From(new ValueTask(task));

    private static async ValueTask<MuxUnit> AwaitAsync(ValueTask task)
    {
        await task.ConfigureAwait(false);
        return default;
    }
}
