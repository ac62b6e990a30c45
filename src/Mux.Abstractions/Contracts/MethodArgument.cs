using System.ComponentModel;

namespace Mux.Contracts;

/// <summary>One of the arguments of a request, as generated code knows it: what filters read and replace by name. Immutable.</summary>
/// <typeparam name="TRequest">The request: the argument itself if there is one alone, a generated structure of several.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class MethodArgument<TRequest>
{
    private protected MethodArgument(string name) => Name = name;

    /// <summary>Gets the name of the parameter.</summary>
    public string Name { get; }

    /// <summary>Gets the type of the parameter.</summary>
    public abstract Type Type { get; }

    /// <summary>Describes the only argument of a method, which is the whole request.</summary>
    /// <param name="name">The name of the parameter.</param>
    public static Func<MethodArgument<TRequest>[]> Whole(string name) =>
        () => [new MethodArgument<TRequest, TRequest>(name, static (ref TRequest request) => ref request)];

    /// <summary>Gets the value; a structure is boxed.</summary>
    public abstract object? Get(ref TRequest request);

    /// <summary>Replaces the value of a parameter whose type is a class or an interface.</summary>
    /// <returns>False if the value has another type, or the parameter is a structure.</returns>
    public abstract bool TrySetReference(ref TRequest request, object? value);
}

/// <summary>One of the arguments of a request, with its type.</summary>
/// <typeparam name="TRequest">The request.</typeparam>
/// <typeparam name="T">The type of the parameter.</typeparam>
/// <param name="name">The name of the parameter.</param>
/// <param name="access">Finds it in a request.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class MethodArgument<TRequest, T>(string name, ArgumentAccess<TRequest, T> access) : MethodArgument<TRequest>(name)
{
    /// <inheritdoc/>
    public override Type Type => typeof(T);

    /// <summary>Gets where the value is.</summary>
    public ref T In(ref TRequest request) => ref access(ref request);

    /// <inheritdoc/>
    public override object? Get(ref TRequest request) => access(ref request);

    /// <inheritdoc/>
    public override bool TrySetReference(ref TRequest request, object? value)
    {
        if (typeof(T).IsValueType || value is not (T or null)) return false;
        access(ref request) = (T)value!;
        return true;
    }
}
