using System.Text;
using Mux.Description.Proto.Printing;
using Mux.Description.Reading;

namespace Mux.Description.Proto.Descriptors;

/// <summary>
/// Finds out whether the number of Mux's options means something else in a set: it is one of those that every
/// organization may use in its own files.
/// </summary>
internal static class ForeignOptions
{
    private const string DescriptorFile = "google/protobuf/descriptor.proto";
    private const string Place = "a file";
    private static readonly UTF8Encoding s_utf8 = new();

    private static readonly string[] s_options =
        [".google.protobuf.FieldOptions", ".google.protobuf.MethodOptions", ".google.protobuf.ServiceOptions"];

    /// <summary>True if a file other than that of Mux declares options with the number.</summary>
    /// <param name="bytes">The FileDescriptorSet.</param>
    /// <param name="place">The set, for errors.</param>
    public static bool AreIn(ReadOnlySpan<byte> bytes, string place)
    {
        var set = new WireReader(bytes, place);
        while (set.Read())
        {
            if (set.Field == 1 && Declares(set.Content())) return true;
        }

        return false;
    }

    // Only files that import the messages of options extend them: the types of others are not looked at.
    private static bool Declares(ReadOnlySpan<byte> file)
    {
        bool isOther = true, seesOptions = false;
        var header = new WireReader(file, Place);
        while (header.Read())
        {
            if (header.Field == 1) isOther = !Is(header.Bytes, ProtoPrinter.OptionsFile);
            else if (header.Field == 3) seesOptions |= Is(header.Bytes, DescriptorFile);
        }

        return isOther && seesOptions && Declares(file, extension: 7, nested: 4, depth: 0);
    }

    private static bool Declares(ReadOnlySpan<byte> scope, int extension, int nested, int depth)
    {
        var reader = new WireReader(scope, Place);
        while (reader.Read())
        {
            if (reader.Field == extension && IsOption(reader.Content())) return true;
            if (reader.Field != nested || depth > DescriptionLimits.Depth) continue;
            if (Declares(reader.Content(), extension: 6, nested: 3, depth + 1)) return true;
        }

        return false;
    }

    private static bool IsOption(ReadOnlySpan<byte> field)
    {
        bool isOfOptions = false, hasNumber = false;
        var reader = new WireReader(field, Place);
        while (reader.Read())
        {
            if (reader.Field == 2) isOfOptions = IsOptions(s_utf8.GetString(reader.Bytes.ToArray()));
            else if (reader.Field == 3) hasNumber = reader.Number == OptionsReader.Extension;
        }

        return isOfOptions && hasNumber;
    }

    private static bool IsOptions(string name) => s_options.Contains(name, StringComparer.Ordinal);

    private static bool Is(ReadOnlySpan<byte> bytes, string text) =>
        bytes.Length == text.Length && s_utf8.GetString(bytes.ToArray()) == text;
}
