using Mux.Description.Reading;

namespace Mux.Description.Proto.Descriptors;

/// <summary>Reads enums, and what enums and messages have in common.</summary>
internal static class EnumReader
{
    /// <param name="bytes">The EnumDescriptorProto.</param>
    /// <param name="scope">Package and messages around it.</param>
    /// <param name="names">The names so far.</param>
    /// <param name="features">The features there.</param>
    /// <param name="place">The file or message, for errors.</param>
    public static ProtoEnum Read(ReadOnlySpan<byte> bytes, string scope, NameTable names, FeatureSet features, string place)
    {
        var found = new ProtoEnum();
        var header = new WireReader(bytes, place);
        while (header.Read())
        {
            if (header.Field == 1) found.Name = header.Text();
        }

        found.FullName = names.Declare(scope, found.Name, place);
        place = $"the enum '{found.FullName}'";
        var reader = new WireReader(bytes, place);
        while (reader.Read())
        {
            switch (reader.Field)
            {
                case 2: found.Values.Add(ReadValue(reader.Content(), scope, names, place)); break;
                case 3: features = ReadOptions(reader.Content(), found, features, place); break;
                case 4: found.Reserved.Add(ReadRange(reader.Content(), names, isEndIncluded: true, place)); break;
                case 5: found.ReservedNames.Add(ReadReservedName(reader.Text(), names, place)); break;
            }
        }

        if (found.Values.Count == 0) DescriptionFault.Throw(place, "has no values; allowed are 1 or more");
        found.IsClosed = features.IsClosed;
        return found;
    }

    /// <summary>Reads numbers that are reserved, or for extensions.</summary>
    public static ProtoRange ReadRange(ReadOnlySpan<byte> bytes, NameTable names, bool isEndIncluded, string place)
    {
        names.CountMember(place);
        int first = 0;
        long last = 0;
        var reader = new WireReader(bytes, place);
        while (reader.Read())
        {
            if (reader.Field == 1) first = reader.Int32();
            else if (reader.Field == 2) last = reader.Int32();
        }

        if (!isEndIncluded) last--;
        if (last < first) DescriptionFault.Throw(place, $"has a range of numbers from {first} to {last}; the last must be {first} or more");
        return new ProtoRange(first, (int)last);
    }

    public static string ReadReservedName(string name, NameTable names, string place)
    {
        names.CountMember(place);
        if (name.Length > DescriptionLimits.NameLength)
            DescriptionFault.Throw(place, $"has a reserved name of {name.Length} characters; allowed are {DescriptionLimits.NameLength}");
        return name;
    }

    private static FeatureSet ReadOptions(ReadOnlySpan<byte> bytes, ProtoEnum found, FeatureSet features, string place)
    {
        var options = new WireReader(bytes, place);
        while (options.Read())
        {
            if (options.Field == 2) found.AllowsAliases = options.Flag();
            else if (options.Field == 3) found.IsDeprecated = options.Flag();
            else if (options.Field == FeatureSet.OfEnum) features = features.With(options.Content(), place);
        }

        return features;
    }

    private static ProtoEnumValue ReadValue(ReadOnlySpan<byte> bytes, string scope, NameTable names, string place)
    {
        names.CountMember(place);
        var value = new ProtoEnumValue();
        var reader = new WireReader(bytes, place);
        while (reader.Read())
        {
            if (reader.Field == 1) value.Name = NameRules.CheckWord(reader.Text(), place);
            else if (reader.Field == 2) value.Number = reader.Int32();
            if (reader.Field != 3) continue;
            var options = new WireReader(reader.Content(), place);
            while (options.Read())
            {
                if (options.Field == 1) value.IsDeprecated = options.Flag();
            }
        }

        value.FullName = NameTable.Join(scope, NameRules.CheckWord(value.Name, place));
        return value;
    }
}
