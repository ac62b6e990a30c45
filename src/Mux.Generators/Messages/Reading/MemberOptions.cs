using Microsoft.CodeAnalysis;

namespace Mux.Generators.Messages.Reading;

/// <summary>What [ProtoMember] and [ProtoPartialMember] say by properties of their own or by the flags of their <c>Options</c>.</summary>
/// <param name="IsPacked">Whether numbers of a list are one block.</param>
/// <param name="IsRequired">Whether zeros are written.</param>
/// <param name="Overwrites">Whether what is read replaces the items that are there.</param>
/// <param name="Refused">The flags that are not taken; 0 if there are none.</param>
internal readonly record struct MemberOptions(bool IsPacked, bool IsRequired, bool Overwrites, int Refused)
{
    private const int Packed = 1;
    private const int Required = 2;
    private const int AsReference = 4;
    private const int DynamicType = 8;
    private const int OverwriteList = 16;
    private const int AsReferenceHasValue = 32; // has no effect without AsReference

    /// <summary>Of any attribute that makes a member a field; the attributes of other libraries know IsRequired only.</summary>
    public static MemberOptions Of(AttributeData? attribute)
    {
        // In the order in which they stand: Options replaces what was said before it, as the properties share one value.
        int flags = 0;
        foreach (var option in attribute?.NamedArguments ?? [])
        {
            flags = (option.Key, option.Value.Value) switch
            {
                ("Options", int all) => all,
                ("IsPacked", bool value) => Set(flags, Packed, value),
                ("IsRequired", bool value) => Set(flags, Required, value),
                ("OverwriteList", bool value) => Set(flags, OverwriteList, value),
                ("AsReference", bool value) => Set(flags, AsReference, value),
                ("DynamicType", bool value) => Set(flags, DynamicType, value),
                _ => flags,
            };
        }

        return new MemberOptions(
            (flags & Packed) != 0, (flags & Required) != 0, (flags & OverwriteList) != 0, flags & ~(Packed | Required | OverwriteList | AsReferenceHasValue));
    }

    /// <summary>The names of the flags that are not taken.</summary>
    public string RefusedNames()
    {
        var names = new List<string>();
        if ((Refused & AsReference) != 0) names.Add("AsReference");
        if ((Refused & DynamicType) != 0) names.Add("DynamicType");
        if ((Refused & ~(AsReference | DynamicType)) is not 0 and var others) names.Add($"{others}");
        return string.Join(" and ", names);
    }

    private static int Set(int flags, int flag, bool value) => value ? flags | flag : flags & ~flag;
}
