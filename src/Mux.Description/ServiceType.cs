namespace Mux.Description;

/// <summary>A service of a description.</summary>
public sealed class ServiceType
{
    internal ServiceType(string fullName, string name, bool isCallback)
    {
        FullName = fullName;
        Name = name;
        IsCallback = isCallback;
    }

    /// <summary>Gets the name on the wire.</summary>
    public string Name { get; }

    /// <summary>Gets the name in protobuf, with package. It differs from <see cref="Name"/> where protobuf does not allow that.</summary>
    public string FullName { get; }

    /// <summary>Gets a value indicating whether the caller serves it, during calls of a method that names it in <see cref="MethodType.Callbacks"/>.</summary>
    public bool IsCallback { get; }

    /// <summary>Gets the methods in declaration order.</summary>
    public IReadOnlyList<MethodType> Methods { get; internal set; } = [];

    /// <inheritdoc/>
    public override string ToString() => Name;
}
