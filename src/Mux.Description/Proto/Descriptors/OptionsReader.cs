using Mux.Description.Reading;

namespace Mux.Description.Proto.Descriptors;

/// <summary>Reads options of methods: protobuf's own, and those of mux/options.proto.</summary>
internal static class OptionsReader
{
    /// <summary>Number of Mux's extension of the options of protobuf.</summary>
    public const int Extension = 51000;

    /// <param name="bytes">The MethodOptions.</param>
    /// <param name="method">Gets what they say.</param>
    /// <param name="place">The method, for errors.</param>
    /// <param name="hasOwn">False if the number of Mux's options may have another meaning.</param>
    public static void Read(ReadOnlySpan<byte> bytes, ProtoMethod method, string place, bool hasOwn = true)
    {
        var all = new WireReader(bytes, place);
        while (all.Read())
        {
            if (all.Field == 33) method.IsDeprecated = all.Flag();
            else if (all.Field == 34) method.IdempotencyLevel = all.Int32() is (1 or 2) and var level ? level : 0;
            else if (hasOwn && all.Field == Extension) ReadOwn(all.Content(), method.Options, place);
        }
    }

    private static void ReadOwn(ReadOnlySpan<byte> bytes, ProtoMethodOptions options, string place)
    {
        var own = new WireReader(bytes, place);
        while (own.Read())
        {
            switch (own.Field)
            {
                case 1: options.WireName = own.Text(); break;
                case 2: options.IsOneWay = own.Flag(); break;
                case 3: options.TimeoutMilliseconds = own.Int32(); break;
                case 4: options.MaxMessageBytes = own.Int32(); break;
                case 5: options.Priority = own.Int32() is (1 or 2) and var priority ? priority : 0; break;
                case 6: options.Format = own.Text(); break;
                case 7: options.Arguments = own.Text(); break;
                case 8: options.Details.Add(ReadDetail(own.Content(), place)); break;
                case 9: options.Authorization = ReadAuthorization(own.Content(), place); break;
                case 10: options.Callbacks.Add(own.Text()); break;
                case 11: options.RequestFingerprint = (uint)own.Number; break;
                case 12: options.ResponseFingerprint = (uint)own.Number; break;
            }
        }
    }

    private static ProtoErrorDetail ReadDetail(ReadOnlySpan<byte> bytes, string place)
    {
        int number = 0;
        string? message = null;
        var reader = new WireReader(bytes, place);
        while (reader.Read())
        {
            if (reader.Field == 1) number = reader.Int32();
            else if (reader.Field == 2) message = reader.Text();
        }

        return new ProtoErrorDetail(number, message);
    }

    private static ProtoAuthorization ReadAuthorization(ReadOnlySpan<byte> bytes, string place)
    {
        var authorization = new ProtoAuthorization();
        var reader = new WireReader(bytes, place);
        while (reader.Read())
        {
            switch (reader.Field)
            {
                case 1: authorization.AllowsAnonymous = reader.Flag(); break;
                case 2: authorization.RequiresUser = reader.Flag(); break;
                case 3: authorization.Policies.Add(reader.Text()); break;
                case 4: authorization.Roles.Add(reader.Text()); break;
            }
        }

        return authorization;
    }
}
