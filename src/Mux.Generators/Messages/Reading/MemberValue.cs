using Mux.Generators.Messages.Models;

namespace Mux.Generators.Messages.Reading;

/// <summary>What the type of a member, argument or result says, before anything is known about its place in a message.</summary>
internal sealed record MemberValue(string TypeName, ValueModel Value, Container Container)
{
    /// <summary>For <see cref="Container.Collection"/>, which one it is.</summary>
    public CollectionModel? Collection { get; init; }

    /// <summary>Whether items are of the nullable type of the value.</summary>
    public bool IsItemNullable { get; init; }

    /// <summary>Whether its items are written as one block.</summary>
    public bool IsPacked { get; init; }

    /// <summary>Whether what is read replaces what is there.</summary>
    public bool Overwrites { get; init; }

    public bool IsRepeated => Container is Container.List or Container.Array or Container.Collection;

    /// <summary>The value that is left out by default, as a C# literal: zero for numbers that are neither nullable nor in a list.</summary>
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
        return new MemberModel(number, name, TypeName, Value.At(name), Container, IsPacked, Zero, read, write)
        {
            Collection = Collection,
            IsItemNullable = IsItemNullable,
            Overwrites = Overwrites,
        };
    }
}
