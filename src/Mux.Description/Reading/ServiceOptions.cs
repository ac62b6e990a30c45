namespace Mux.Description.Reading;

/// <summary>Options of a service: protobuf's own, and those of mux/options.proto.</summary>
internal sealed class ServiceOptions
{
    /// <summary>Number of Mux's extension of the options of protobuf.</summary>
    public const int Extension = 51000;

    public string? Name { get; private set; }

    public bool IsCallback { get; private set; }

    public void Read(ReadOnlySpan<byte> bytes, string place)
    {
        var all = new WireReader(bytes, place);
        while (all.Read())
        {
            if (all.Field != Extension) continue;
            var own = new WireReader(all.Content(), place);
            while (own.Read())
            {
                if (own.Field == 1) Name = own.Text();
                else if (own.Field == 2) IsCallback = own.Flag();
            }
        }
    }
}
