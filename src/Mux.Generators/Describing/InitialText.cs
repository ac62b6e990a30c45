using System.Globalization;
using Mux.Generators.Messages.Models;

namespace Mux.Generators.Describing;

/// <summary>Converts the value that an initializer gives a member to the text of an option.</summary>
internal static class InitialText
{
    /// <summary>Gets the text; null if an absent field is what it is in protobuf: nothing, or zero.</summary>
    public static string? Of(MemberModel member)
    {
        if (member.Initial is not { } text) return null;
        bool isNullable = member.IsOptional || member.Container == Container.Nullable;
        if (!isNullable && text is "" or "0" or "false") return null;
        return member.Value is ScalarModel { Enum: { Name.IsImported: false } known }
            && int.TryParse(text, NumberStyles.Integer, CultureInfo.InvariantCulture, out int number)
            ? EnumDescriber.NameOf(known, number) ?? text : text;
    }
}
