using System.Collections;
using Google.Protobuf;
using Mux.Proto.Tests.Imported.Old;

namespace Mux.Proto.Tests.Messages;

/// <summary>Defaults of proto2 have the values that Google's classes give to absent fields.</summary>
public sealed class DefaultTests
{
    [Fact]
    public void Every_default_has_its_value()
    {
        var theirs = new Theirs.Old.Defaults();
        var mine = new Defaults();
        var fields = Theirs.Old.Defaults.Descriptor.Fields.InDeclarationOrder().Where(static field => field.ToProto().HasDefaultValue && !field.IsRequired).ToList();
        Assert.Contains(fields, static field => field.Name == "of_bytes");
        foreach (var field in fields)
        {
            var found = typeof(Defaults).GetProperty(field.PropertyName + "OrDefault")?.GetValue(mine);
            Assert.True(Same(field.Accessor.GetValue(theirs), found), $"{field.Name}: found {found}.");
        }
    }

    [Theory]
    [InlineData("", "")]
    [InlineData("61", "a")]
    [InlineData("000a0d09225c27", "\\000\\n\\r\\t\\\"\\\\\\'")]
    [InlineData("ff80c3a9", "\\xff\\200\u00e9")]
    [InlineData("070b0c3f00", "\\a\\v\\f\\?\\0")]
    [InlineData("01304130", "\\0010\\x410")]
    public void Bytes_with_escapes_are_a_default(string bytes, string text)
    {
        var file = $"syntax = \"proto2\"; message A {{ optional bytes b = 1 [default = \"{text}\"]; }}";
        var run = Files.ImportedProject.Run(new Dictionary<string, string>(StringComparer.Ordinal) { ["a.proto"] = file });
        Assert.Empty(run.Mistakes);
        var type = run.Load().GetTypes().Single(static type => type.Name == "A");
        Assert.Equal(bytes, Convert.ToHexStringLower((byte[])type.GetProperty("BOrDefault")!.GetValue(Activator.CreateInstance(type))!));
    }

    private static bool Same(object expected, object? found) => expected switch
    {
        ByteString bytes => StructuralComparisons.StructuralEqualityComparer.Equals(bytes.ToByteArray(), found),
        Enum value => found is Enum && Convert.ToInt32(value, null) == Convert.ToInt32(found, null),
        _ => expected.Equals(found),
    };
}
