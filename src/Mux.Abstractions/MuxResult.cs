using System.Diagnostics.CodeAnalysis;

namespace Mux;

/// <summary>
/// The reply of a call, or its failure. A contract method that returns <c>ValueTask&lt;MuxResult&lt;T&gt;&gt;</c> passes failures from its handler to its
/// caller without an exception. On the wire it is identical to a method that returns <c>ValueTask&lt;T&gt;</c>.
/// </summary>
/// <remarks>A call that is cancelled by its own caller still throws <see cref="OperationCanceledException"/>.</remarks>
/// <typeparam name="T">The type of the reply.</typeparam>
public readonly struct MuxResult<T>
{
    private readonly T _value;

    /// <summary>Creates a successful result.</summary>
    public MuxResult(T value) => _value = value;

    /// <summary>Creates a failed result.</summary>
    /// <exception cref="ArgumentNullException"><paramref name="failure"/> is null.</exception>
    public MuxResult(MuxFailure failure)
    {
        ArgumentNullException.ThrowIfNull(failure);
        _value = default!;
        Failure = failure;
    }

    /// <summary>Gets the failure, or null if the call succeeded.</summary>
    public MuxFailure? Failure { get; }

    /// <summary>Gets a value indicating whether the call succeeded.</summary>
    public bool IsSuccess => Failure is null;

    /// <summary>Gets the reply.</summary>
    /// <exception cref="MuxException">The call failed.</exception>
    public T Value => Failure is null ? _value : throw new MuxException(Failure);

    /// <summary>Gets the reply if the call succeeded; returns false if it failed.</summary>
    public bool TryGetValue([MaybeNullWhen(false)] out T value)
    {
        value = _value;
        return Failure is null;
    }

    /// <summary>Converts a reply to a successful result.</summary>
    public static implicit operator MuxResult<T>(T value) => new(value);

    /// <summary>Converts a failure to a failed result.</summary>
    public static implicit operator MuxResult<T>(MuxFailure failure) => new(failure);

    /// <inheritdoc/>
    public override string ToString() => Failure is null ? $"{_value}" : Failure.ToString();
}
