namespace Mux.Serialization;

/// <summary>
/// Declares the format and the types of an <see cref="IPayloadSerializer"/>, which the generator needs when it compiles a contract. A serializer without it is
/// a build error (MUX0058).
/// </summary>
/// <param name="name">The name of the format, such as <c>json</c>. Mux uses it to compare the contracts of the two sides. Serializers that can read each
/// other's bytes must have the same name. 1 to 127 characters of letters, digits, '.', '_' and '-'.</param>
/// <param name="types">The types that can be sent, including types that derive from or implement them. A contract with another type is a build error (MUX0060).
/// No types means all types.</param>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Struct, Inherited = false)]
public sealed class PayloadFormatAttribute(string name, params Type[] types) : Attribute
{
    /// <summary>
    /// Gets the name of the format. Sides with different names still exchange messages; the names appear in the error if a message cannot be read.
    /// </summary>
    public string Name { get; } = name;

    /// <summary>Gets the types that can be sent; empty for all types.</summary>
    public IReadOnlyList<Type> Types { get; } = types;
}
