using Mux.Description.Json;

namespace Mux.Description;

/// <summary>An enum of a description.</summary>
public sealed class EnumType
{
    internal EnumType(string fullName, IReadOnlyList<KeyValuePair<string, int>> values)
    {
        FullName = fullName;
        Values = values;
    }

    /// <summary>Gets the name with package and the messages around it, such as <c>hr.Grade</c>.</summary>
    public string FullName { get; }

    /// <summary>Gets names and numbers in declaration order. Several names may have one number.</summary>
    public IReadOnlyList<KeyValuePair<string, int>> Values { get; }

    /// <summary>Gets the enum as JSON has it, prepared at the first use.</summary>
    internal JsonEnum Json => field ??= new JsonEnum(this);

    /// <inheritdoc/>
    public override string ToString() => FullName;
}
