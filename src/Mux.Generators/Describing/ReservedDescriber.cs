using Mux.Description.Proto.Descriptors;
using Mux.Generators.Messages.Models;

namespace Mux.Generators.Describing;

/// <summary>Describes what is reserved. Protobuf allows neither ranges that overlap nor those with a number or name in use.</summary>
internal static class ReservedDescriber
{
    private const int Greatest = (1 << 29) - 1;

    public static void Describe(WireWriter message, EquatableArray<ReservedModel> reserved, List<FieldBuilder> fields)
    {
        int free = 1; // the first number that no range before has
        foreach (var range in reserved.Where(static range => range.Name is null).OrderBy(static range => range.First))
        {
            int first = Math.Max(range.First, free), last = Math.Min(range.Last, Greatest);
            if (first > last || fields.Exists(field => first <= field.Number && field.Number <= last)) continue;
            message.Message(9, new WireWriter().Number(1, first).Number(2, last + 1));
            free = last + 1;
        }

        foreach (var name in reserved.Select(static range => range.Name).OfType<string>().Select(static name => ProtoNames.ToField(name, 0))
            .Distinct(StringComparer.Ordinal))
        {
            if (!fields.Exists(field => field.Name == name)) message.Text(10, name);
        }
    }
}
