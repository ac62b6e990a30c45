using System.ComponentModel;

namespace Mux;

/// <summary>
/// An empty value: the request of a method without arguments, and the reply of a method without a result. It takes zero bytes on the wire.
/// </summary>
public readonly struct MuxUnit : IEquatable<MuxUnit>
{
    /// <inheritdoc/>
    public bool Equals(MuxUnit other) => true;

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is MuxUnit;

    /// <inheritdoc/>
    public override int GetHashCode() => 0;

    /// <summary>Returns true: all values are equal.</summary>
    public static bool operator ==(MuxUnit left, MuxUnit right) => true;

    /// <summary>Returns false: all values are equal.</summary>
    public static bool operator !=(MuxUnit left, MuxUnit right) => false;

    /// <summary>Converts a task without a result to a task with an empty result. A completed task needs no state machine.</summary>
    /// <param name="task">Consumed by this call: do not await it again.</param>
    [EditorBrowsable(EditorBrowsableState.Never)] // called by generated code
    public static ValueTask<MuxUnit> From(ValueTask task)
    {
        if (!task.IsCompletedSuccessfully) return AwaitAsync(task);
        task.GetAwaiter().GetResult(); // a pooled source is returned to its pool only when its result is taken
        return default;
    }

    /// <inheritdoc cref="From(ValueTask)"/>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public static ValueTask<MuxUnit> From(Task task) => From(new ValueTask(task));

    private static async ValueTask<MuxUnit> AwaitAsync(ValueTask task)
    {
        await task.ConfigureAwait(false);
        return default;
    }
}
