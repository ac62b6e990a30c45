namespace Mux.Contracts;

/// <summary>The type of "nothing": the request of a method without arguments and the reply of a method without a result. Zero bytes on the wire.</summary>
public readonly struct Unit : IEquatable<Unit>
{
    /// <inheritdoc/>
    public bool Equals(Unit other) => true;

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is Unit;

    /// <inheritdoc/>
    public override int GetHashCode() => 0;

    /// <summary>Any two are equal.</summary>
    public static bool operator ==(Unit left, Unit right) => true;

    /// <summary>Any two are equal.</summary>
    public static bool operator !=(Unit left, Unit right) => false;

    /// <summary>Makes a task without a result look like one with an empty result, without a state machine when it is complete already.</summary>
    /// <param name="task">Consumed by this call.</param>
    public static ValueTask<Unit> From(ValueTask task)
    {
        if (!task.IsCompletedSuccessfully) return AwaitAsync(task);
        task.GetAwaiter().GetResult(); // a pooled source wants its result taken
        return default;
    }

    /// <inheritdoc cref="From(ValueTask)"/>
    public static ValueTask<Unit> From(Task task) => From(new ValueTask(task));

    private static async ValueTask<Unit> AwaitAsync(ValueTask task)
    {
        await task.ConfigureAwait(false);
        return default;
    }
}
