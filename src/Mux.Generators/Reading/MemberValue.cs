using Mux.Generators.Models;

namespace Mux.Generators.Reading;

/// <summary>What the type of a member, argument or result says, before anything is known about its place in a message.</summary>
internal sealed record MemberValue(string TypeName, ValueModel Value, Container Container)
{
    /// <summary>The value that is left out by default, as a C# literal: zero for numbers that are neither nullable nor in a list.</summary>
    public string? Zero => (Container, Value) switch
    {
        (Container.Single, ScalarModel { Scalar: ScalarType.Boolean }) => "false",
        (Container.Single, ScalarModel { Scalar: ScalarType.Char }) => "'\\0'",
        (Container.Single, ScalarModel) => "0",
        _ => null,
    };

    public MemberModel ToMember(int number, string name, ReadAccess read, WriteAccess write)
    {
        return new MemberModel(number, name, TypeName, Value, Container, IsPacked: false, Zero, read, write);
    }
}
