using Mux.Contracts;

namespace Mux.Description.Reading;

/// <summary>Options of a method: protobuf's own, and those of mux/options.proto. Types are named here and found later.</summary>
internal sealed class MethodOptions
{
    private const int IdempotencyLevel = 34;

    public string? Name { get; private set; }

    public bool IsOneWay { get; private set; }

    public bool IsIdempotent { get; private set; }

    public int TimeoutMilliseconds { get; private set; }

    public int MaxMessageBytes { get; private set; }

    public MuxCallPriority Priority { get; private set; }

    public string? Format { get; private set; }

    public string? Arguments { get; private set; }

    public List<(int Number, string? Message)> Details { get; } = [];

    public MethodAuthorization? Authorization { get; private set; }

    public List<string> Callbacks { get; } = [];

    public uint RequestFingerprint { get; private set; }

    public uint ResponseFingerprint { get; private set; }

    public void Read(ReadOnlySpan<byte> bytes, string place)
    {
        var all = new WireReader(bytes, place);
        while (all.Read())
        {
            if (all.Field == IdempotencyLevel) IsIdempotent = all.Int32() is 1 or 2; // without side effects, or idempotent
            else if (all.Field == ServiceOptions.Extension) ReadOwn(all.Content(), place);
        }
    }

    private void ReadOwn(ReadOnlySpan<byte> bytes, string place)
    {
        var own = new WireReader(bytes, place);
        while (own.Read())
        {
            switch (own.Field)
            {
                case 1: Name = own.Text(); break;
                case 2: IsOneWay = own.Flag(); break;
                case 3: TimeoutMilliseconds = own.Int32(); break;
                case 4: MaxMessageBytes = own.Int32(); break;
                case 5: Priority = own.Int32() is > 0 and <= 2 and var value ? (MuxCallPriority)value : MuxCallPriority.Normal; break;
                case 6: Format = own.Text(); break;
                case 7: Arguments = own.Text(); break;
                case 8: Details.Add(ReadDetail(own.Content(), place)); break;
                case 9: Authorization = ReadAuthorization(own.Content(), place); break;
                case 10: Callbacks.Add(own.Text()); break;
                case 11: RequestFingerprint = (uint)own.Number; break;
                case 12: ResponseFingerprint = (uint)own.Number; break;
            }
        }
    }

    private static (int Number, string? Message) ReadDetail(ReadOnlySpan<byte> bytes, string place)
    {
        int number = 0;
        string? message = null;
        var reader = new WireReader(bytes, place);
        while (reader.Read())
        {
            if (reader.Field == 1) number = reader.Int32();
            else if (reader.Field == 2) message = reader.Text();
        }

        return (number, message);
    }

    private static MethodAuthorization ReadAuthorization(ReadOnlySpan<byte> bytes, string place)
    {
        bool allowsAnonymous = false, requiresUser = false;
        var policies = new List<string>();
        var roles = new List<string>();
        var reader = new WireReader(bytes, place);
        while (reader.Read())
        {
            switch (reader.Field)
            {
                case 1: allowsAnonymous = reader.Flag(); break;
                case 2: requiresUser = reader.Flag(); break;
                case 3: policies.Add(reader.Text()); break;
                case 4: roles.Add(reader.Text()); break;
            }
        }

        return new MethodAuthorization(allowsAnonymous, requiresUser, policies, roles);
    }
}
