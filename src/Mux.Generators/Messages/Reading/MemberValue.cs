using Mux.Generators.Messages.Models;

namespace Mux.Generators.Messages.Reading;

/// <summary>Type of a member, argument or result, before its place in a message is known.</summary>
internal sealed record MemberValue(string TypeName, ValueModel Value, Container Container)
{
    /// <summary>The collection for <see cref="Container.Collection"/>.</summary>
    public CollectionModel? Collection { get; init; }

    /// <summary>True if items have the nullable type of the value.</summary>
    public bool IsItemNullable { get; init; }

    /// <summary>True if its items are written as one block.</summary>
    public bool IsPacked { get; init; }

    /// <summary>True if the items read replace the existing ones.</summary>
    public bool Overwrites { get; init; }

    public bool IsRepeated => Container is Container.List or Container.Array or Container.Collection;

    /// <summary>C# literal of the value that is omitted by default: zero for numbers that are neither nullable nor in a list.</summary>
    public string? Zero => (Container, Value) switch
    {
        (Container.Single, ScalarModel { Scalar: ScalarType.Boolean }) => "false",
        (Container.Single, ScalarModel { Scalar: ScalarType.Char }) => "'\\0'",
        (Container.Single, ScalarModel) => "0",
        (Container.Single, FrameworkModel framework) => framework.Zero,
        _ => null,
    };

    public MemberModel ToMember(int number, string name, ReadAccess read, WriteAccess write)
    {
        return new MemberModel(number, name, TypeName, Value.At(name.Replace("_", "__")), Container, IsPacked, Zero, read, write)
        {
            Collection = Collection,
            IsItemNullable = IsItemNullable,
            Overwrites = Overwrites,
        };
    }
}
