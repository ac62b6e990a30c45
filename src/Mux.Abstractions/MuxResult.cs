using System.Diagnostics.CodeAnalysis;

namespace Mux;

/// <summary>
/// A reply or a failure. A contract method that returns <c>ValueTask&lt;MuxResult&lt;T&gt;&gt;</c> hands failures to its caller, and takes them from its
/// handler, without an exception. On the wire it is the same method as one that returns <c>ValueTask&lt;T&gt;</c>.
/// </summary>
/// <remarks>A call that its own caller cancelled throws <see cref="OperationCanceledException"/> nevertheless.</remarks>
/// <typeparam name="T">The reply.</typeparam>
public readonly struct MuxResult<T>
{
    private readonly T _value;

    /// <summary>Success.</summary>
    public MuxResult(T value) => _value = value;

    /// <summary>Failure.</summary>
    /// <exception cref="ArgumentNullException"><paramref name="failure"/> is null.</exception>
    public MuxResult(MuxFailure failure)
    {
        ArgumentNullException.ThrowIfNull(failure);
        _value = default!;
        Failure = failure;
    }

    /// <summary>Why the call failed; null if it succeeded.</summary>
    public MuxFailure? Failure { get; }

    /// <summary>Whether there is a reply.</summary>
    public bool IsSuccess => Failure is null;

    /// <summary>The reply.</summary>
    /// <exception cref="MuxException">There is none.</exception>
    public T Value => Failure is null ? _value : throw new MuxException(Failure);

    /// <summary>Takes the reply, if there is one.</summary>
    public bool TryGetValue([MaybeNullWhen(false)] out T value)
    {
        value = _value;
        return Failure is null;
    }

    /// <summary>The reply as a result.</summary>
    public static implicit operator MuxResult<T>(T value) => new(value);

    /// <summary>The failure as a result.</summary>
    public static implicit operator MuxResult<T>(MuxFailure failure) => new(failure);

    /// <inheritdoc/>
    public override string ToString() => Failure is null ? $"{_value}" : Failure.ToString();
}
