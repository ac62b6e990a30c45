using Mux.Generators.Messages.Models;

namespace Mux.Generators.Messages.Emitting;

/// <summary>Reads a member with the cursor, which supports short tags, numbers in the declared wire type, strings and values of the framework.</summary>
/// <param name="Method">Method that tries to read it.</param>
/// <param name="Type">Type that the method returns.</param>
/// <param name="IsBoolean">True if it returns a number for a member of type bool.</param>
/// <param name="Cast">Type to cast to, or null.</param>
internal sealed record FastRead(string Method, string Type, bool IsBoolean = false, string? Cast = null)
{
    // Tags of one or two bytes: field numbers below 2,048.
    private const uint MaxTag = (1 << 14) - 1;

    /// <summary>Gets the way to read a member; null if the cursor cannot.</summary>
    public static FastRead? Of(MemberModel member)
    {
        if (member.IsRepeated || !IsSeen(member)) return null;
        return member.Value switch
        {
            TextModel => new FastRead("TryText", "string"),
            ScalarModel scalar => OfNumber(scalar),
            FrameworkModel { IsFast: true } framework => new FastRead("Try" + framework.Reads, framework.TypeName),
            _ => null,
        };
    }

    /// <summary>True if the cursor supports the tag of the member.</summary>
    public static bool IsSeen(MemberModel member) => member.Tag <= MaxTag;

    /// <summary>Gets the value of the member from a variable of <see cref="Type"/>.</summary>
    public string Value(string variable)
    {
        if (IsBoolean) return variable + " != 0";
        return Cast is null ? variable : $"({Cast}){variable}";
    }

    private static FastRead? OfNumber(ScalarModel scalar)
    {
        var cast = scalar.EnumUnderlying is null ? null : scalar.TypeName;
        var keyword = scalar.Scalar switch
        {
            ScalarType.Int32 => "int",
            ScalarType.UInt32 => "uint",
            ScalarType.Int64 => "long",
            ScalarType.UInt64 => "ulong",
            ScalarType.Single => "float",
            ScalarType.Double => "double",
            _ => null,
        };

        if (keyword is not null)
        {
            var method = scalar.FixedSize != 0 ? "TryFixed" : scalar.Format == ScalarFormat.ZigZag ? "TryZigZag" : "TryVarint";
            return new FastRead(method, keyword, Cast: cast);
        }

        // The smaller types hold any number below 128; the reader decides about the others.
        if (scalar.Format != ScalarFormat.Varint) return null;
        bool isBoolean = scalar.Scalar == ScalarType.Boolean;
        return new FastRead("TrySmall", "uint", isBoolean, isBoolean ? null : scalar.TypeName);
    }
}
