namespace Mux.Description.Tests.Comparing;

/// <summary>A contract that is edited at random.</summary>
internal sealed class Draft
{
    private static readonly string[] s_types =
    [
        "int32", "int64", "uint32", "uint64", "sint32", "sint64", "bool", "E", "fixed32", "sfixed32", "float", "fixed64", "sfixed64", "double", "string", "bytes",
        "B", "C", "map<string, int32>", "map<int32, B>",
    ];

    private static readonly string[] s_labels = ["", "optional ", "repeated ", "oneof "];

    private readonly List<Field>[] _messages = [[], [], []];
    private readonly List<int>[] _reserved = [[], [], []];
    private readonly List<(string Name, int Number)> _values = [("E_0", 0), ("E_1", 1), ("E_2", 2)];
    private int _names;

    public Draft(Random random)
    {
        foreach (var fields in _messages)
        {
            for (int number = 1; number <= 4; number++) fields.Add(NewField(number, random));
        }
    }

    public void Edit(int kind, Random random)
    {
        int which = random.Next(_messages.Length);
        var fields = _messages[which];
        int at = random.Next(fields.Count);
        var other = fields[random.Next(fields.Count)];
        switch (kind % 10)
        {
            case 0 when fields.Count > 1:
                fields.RemoveAt(at);
                break;
            case 1 when fields.Count > 1:
                _reserved[which].Add(fields[at].Number);
                fields.RemoveAt(at);
                break;
            case 2:
                fields[at] = fields[at] with { Type = s_types[random.Next(s_types.Length)] };
                break;
            case 3:
                fields[at] = fields[at] with { Number = fields.Max(static field => field.Number) + 10 };
                break;
            case 4:
                fields[at] = fields[at] with { Name = $"f{++_names}" };
                break;
            case 5:
                fields[at] = fields[at] with { Label = s_labels[random.Next(s_labels.Length)] };
                break;
            case 6:
                fields.Add(NewField(fields.Concat(_messages.SelectMany(static all => all)).Max(static field => field.Number) + 1 + random.Next(3), random));
                break;
            case 7 when fields[at] != other:
                (fields[fields.IndexOf(other)], fields[at]) = (fields[at] with { Number = other.Number }, other with { Number = fields[at].Number });
                break;
            case 8:
                fields[at] = fields[at] with { Type = fields[at].Type switch { "int32" => "int64", "uint32" => "uint64", "sint32" => "sint64", "E" => "int32", var same => same } };
                break;
            default:
                _values.Add(($"E_{_values.Count + 5}", _values.Count + 5));
                break;
        }
    }

    public override string ToString()
    {
        var messages = _messages.Select((fields, i) => $"message {(char)('A' + i)} {{ {string.Concat(fields.Where(static field => !field.IsChoice))}{Choices(fields)}{Reserved(i)}}}");
        return $"{string.Join('\n', messages)}\nenum E {{ {string.Join(' ', _values.Select(static value => $"{value.Name} = {value.Number};"))} }}";
    }

    private string Reserved(int which)
    {
        var numbers = _reserved[which].Except(_messages[which].Select(static field => field.Number)).ToList();
        return numbers.Count == 0 ? "" : $"reserved {string.Join(", ", numbers)}; ";
    }

    private static string Choices(List<Field> fields)
    {
        var choices = fields.Where(static field => field.IsChoice).ToList();
        return choices.Count == 0 ? "" : $"oneof choice {{ {string.Concat(choices)}}} ";
    }

    private Field NewField(int number, Random random) => new(number, $"f{++_names}", s_types[random.Next(s_types.Length)], s_labels[random.Next(s_labels.Length)]);

    private sealed record Field(int Number, string Name, string Type, string Label)
    {
        public bool IsChoice => Label == "oneof " && !IsMap;

        private bool IsMap => Type.StartsWith("map", StringComparison.Ordinal);

        public override string ToString() => $"{(IsChoice || IsMap ? "" : Label)}{Type} {Name} = {Number}; ";
    }
}
