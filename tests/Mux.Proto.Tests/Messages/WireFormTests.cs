using Google.Protobuf;
using Google.Protobuf.Reflection;
using Mux.Serialization;

namespace Mux.Proto.Tests.Messages;

/// <summary>Whatever is on the wire: imported messages accept, refuse and understand the same as Google's library.</summary>
public sealed class WireFormTests
{
    /// <summary>Not those that C# has a type for: their parts are read as by protobuf-net.</summary>
    public static TheoryData<Echo> Plain => DifferentialTests.Plain;

    [Theory]
    [MemberData(nameof(Plain))]
    public void A_field_of_any_wire_type_is_read_as_by_Google(Echo echo)
    {
        var needed = Needed(echo);
        foreach (var field in Compared(echo))
        {
            foreach (var form in WireForms.Of(field)) AssertSame(echo, field, [.. needed, .. form]);
        }
    }

    [Theory]
    [MemberData(nameof(Plain))]
    public void Fields_of_any_wire_types_in_a_row_are_read_as_by_Google(Echo echo)
    {
        var needed = Needed(echo);
        foreach (var field in Compared(echo))
        {
            var good = WireForms.Of(field).Where(form => Read(echo.Parse, [.. needed, .. form]) is not null).ToList();
            var random = new Random(field.FieldNumber);
            for (int i = 0; i < 100; i++)
                AssertSame(echo, field, [.. needed, .. good[random.Next(good.Count)], .. good[random.Next(good.Count)], .. good[random.Next(good.Count)]]);
        }
    }

    private static byte[] Needed(Echo echo)
    {
        var message = (IMessage)Activator.CreateInstance(echo.Descriptor.ClrType)!;
        var values = new RandomMessages(new Random(7));
        foreach (var field in echo.Descriptor.Fields.InDeclarationOrder().Where(RandomMessages.IsNeeded)) values.Fill(message, field, depth: 1);
        return message.ToByteArray();
    }

    // Mux always writes what is required, Google only if it is there.
    private static IEnumerable<FieldDescriptor> Compared(Echo echo) => echo.Descriptor.Fields.InDeclarationOrder().Where(static field =>
        field.FieldType is not (FieldType.Message or FieldType.Group) || !field.MessageType.Fields.InDeclarationOrder().Any(RandomMessages.IsNeeded));

    private static void AssertSame(Echo echo, FieldDescriptor field, byte[] bytes)
    {
        var expected = Read(echo.Parse, bytes);
        var rewritten = Read(echo.Rewrite, bytes);
        var actual = rewritten is null ? null : Read(echo.Parse, rewritten);
        if (!Equals(expected, actual))
            Assert.Fail($"{echo} {field.Name} {Convert.ToHexString(bytes)}: expected {Text(expected)}, found {Text(actual)}");
    }

    private static string Text(IMessage? message) => message is null ? "a refusal" : Convert.ToHexString(message.ToByteArray());

    private static T? Read<T>(Func<byte[], T> read, byte[] bytes)
        where T : class
    {
        try
        {
            return read(bytes);
        }
        catch (Exception error) when (error is InvalidProtocolBufferException or InvalidMessageException)
        {
            return null;
        }
    }
}
